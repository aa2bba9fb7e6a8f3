#include "CWebSocketShims.h"
