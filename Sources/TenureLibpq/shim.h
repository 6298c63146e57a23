/* What TenurePostgres needs of C: libpq. */
#include <libpq-fe.h>
