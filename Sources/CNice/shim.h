#pragma once
#include <nice/agent.h>
