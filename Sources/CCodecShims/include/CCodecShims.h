#pragma once
/* What Swift cannot see: macros and variadic functions. Everything here has the prefix ccb_. */
