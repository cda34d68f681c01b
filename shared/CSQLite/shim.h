// SQLite: what Swift cannot call goes here (variadic functions, macros).
#pragma once
#include <sqlite3.h>
