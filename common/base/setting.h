/* What make has found out (common/make/probe.sh): the compiler, its flags, the lessons. make writes
   it to one file, named by LOOKBACK_CONFIG. Each line is "NAME := value". */
#pragma once

/* The value from the environment or, if that has none, from the file; `otherwise` if both have none
   or it is empty. It stays valid as long as the environment does not change. */
const char *setting(const char *name, const char *otherwise);
