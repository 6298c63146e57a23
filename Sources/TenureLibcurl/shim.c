#include "TenureLibcurl.h"
