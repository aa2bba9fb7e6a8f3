#include "CNetworkShims.h"
