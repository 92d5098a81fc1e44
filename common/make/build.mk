# What is built of what. The learner's own objects are the tutor's work. Settings that begin with
# LOOKBACK_, and a few more, are in $(CONFIG), which common/make/probe.sh writes.

# What a lesson's tests, pictures, worked example and prompt are linked with, and the sources that
# go with a milestone. `which` is the lesson of the target.
name     = $(subst $() $(),_,$(wordlist 2,9,$(subst -, ,$1)))
object   = $(patsubst %.c,$(OBJECTS)/%.o,$(wildcard $1))
common   = $(foreach p,$1,$(call object,$(foreach d,common/nn common/testing common,$d/$p.c)))
before   = $(filter-out x,$(subst |, ,$(firstword $(subst |$1, ,x|$(subst $() $(),|,$(ALL))))))
SUPPORT := $(call common,columns gradcheck matrix product random room stack team threads todo work)
HARNESS := $(SUPPORT) $(OBJECTS)/unity.o \
    $(call common,expect laws lesson_test memory observed relate statics test_table trap where)
RUNNER  := $(call common,slip_test)
# The references of earlier lessons. A release (common/grade/release.sh) needs those of a lesson's
# unwritten functions, too.
reference = $(foreach l,$1,$(OBJECTS)/solutions/$l/$(call name,$l).o)
earlier  = $(call reference,$(call before,$1))
tests    = $(call object,tests/$1/test_*.c) $(call earlier,$1) $(HARNESS)
drawn    = $(call object,plots/$1/*_data.c) $(SUPPORT)
EARLIER  = $(call earlier,$(which))
TESTS    = $(call tests,$(which))
READY    = $(TUTOR) $(RUNNER) $(TESTS) $(if $(RELEASE),$(call reference,$(which)))
OLD      = $(addprefix record-,$(filter $1,$(call is,record) $(call is,renew)))
RECORDED = $(call OLD,$(which) $(with))
DRAWN    = $(call drawn,$(which))
SHOWN    = $(call object,plots/$(which)/*_show.c) $(call common,shade) $(SUPPORT)
TRIED    = $(patsubst %,% $(call common,ask shade typed words) $(SUPPORT),\
    $(call object,plots/$(which)/*_try.c))
with    := $(call lesson,$(WITH))
MILESTONE := sh common/make/milestone.sh
# A milestone that can be tried has tasks, and models in files.
RUNNING  = $(wildcard $(foreach p,columns memory progress random room shade todo trainer typed,\
    common/nn/$p.c common/testing/$p.c)) \
    $(if $(wildcard lessons/$(which)/milestone/try.c),$(wildcard common/nn/tasks/*.c))

# Each file is written under another name and then moved: two makes may build at once. Objects
# depend on `flags`, a copy of the configuration that stays as old as it is while nothing changes
# but the lessons.
$(CONFIG): common/make/probe.sh
	@mkdir -p $(@D)
	@sh common/make/probe.sh $@ '$(ALL)' '$(LESSONS)'
ifneq ($(LOOKBACK_ALL) / $(LOOKBACK_LESSONS),$(ALL) / $(LESSONS))
$(CONFIG): force
endif
$(OBJECTS)/flags: | $(CONFIG)
	@[ -e $@ ] || { cp $(CONFIG) $@.$$$$ && mv $@.$$$$ $@; }
# Unity. `complete` is written last: if a file is missing or newer, it has to be repaired.
UNITY_C := build/fetched/unity/unity.c
UNITY_S := $(UNITY_C) $(addprefix build/fetched/unity/,unity.h unity_internals.h)
UNITY_F := -w -DUNITY_OUTPUT_CHAR=report_character \
    '-DUNITY_OUTPUT_CHAR_HEADER_DECLARATION=report_character(int)'
$(FETCHED): $(UNITY_S) $(if $(UNITY)$(filter-out $(wildcard $(UNITY_S)),$(UNITY_S)),force)
	@sh common/make/unity.sh $(@D)
$(UNITY_S):
.PRECIOUS: $(FETCHED)

# The functions that every block of a lesson calls, and every cell of a matrix, are optimized.
OFTEN   := $(call common,work matrix expect product relate random team)
$(OBJECTS)/%.o: FLAGS = $(LOOKBACK_OURS)
$(OBJECTS)/solutions/%.o: FLAGS = $(LOOKBACK_CFLAGS)
$(OBJECTS)/tests/%.o: FLAGS = $(LOOKBACK_OURS) $(SCOPES)
$(OBJECTS)/fast/%.o: FLAGS = $(LOOKBACK_FAST_CFLAGS)
$(OFTEN): FLAGS = $(LOOKBACK_OURS) -O1
compiler = $(CC)
compile  = [ -d $(@D) ] || mkdir -p $(@D); \
    $(compiler) $(FLAGS) $1 -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@.$$$$ && mv $@.$$$$ $@
UNSEAL   = { echo '\#line 1 "$(<:sealed/%=%)"' && tr '!-~' 'P-~!-O' <$<; } | \
    { $(call compile,-w -xc -); }
$(OBJECTS)/solutions/%.o: sealed/solutions/%.c
	@$(UNSEAL)
$(OBJECTS)/fast/solutions/%.o: sealed/solutions/%.c
	@$(UNSEAL)
# Of a milestone. Its own files may have a launcher, which knows how to call the compiler.
$(OBJECTS)/fast/%.o: compiler = $(or $(patsubst %,sh % compile,\
    $(wildcard $(<:.c=/launch.sh) $(<D)/launch.sh)),$(CC))
$(OBJECTS)/fast/%.o: %.c $(OBJECTS)/flags
	@$(call compile,$<)
$(OBJECTS)/unity.o: $(UNITY_C) $(OBJECTS)/flags | $(FETCHED)
	@$(call compile,$(UNITY_F) $<)
$(OBJECTS)/%.o: %.c $(OBJECTS)/flags | $(FETCHED)
	@$(call compile,$(STRICT) $<)

# The tutor.
LAYERS  := base course explain check diagnose grade/box tutor
TUTOR_C := $(wildcard $(LAYERS:%=common/%/*.c))
program  = mkdir -p $(@D) && $(CC) $(TOOL_CFLAGS) $(STRICT) $1 -o $@.$$$$ -lm && mv $@.$$$$ $@
TUTOR_H := common/nn/seconds.h $(wildcard $(LAYERS:%=common/%/*.h))
$(TUTOR): $(TUTOR_C) $(TUTOR_H)
	@$(call program,-Wvla $(TUTOR_C))
$(GENERATE): common/grade/generate.c $(patsubst %,common/base/%.c,source text tokens) \
        $(wildcard common/base/*.h)
	@$(call program,$(filter %.c,$^))
# make includes this empty file: when there is a new tutor, make starts again and asks it. (If the
# tutor depended on $(CONFIG), make would not start again after a new configuration.)
$(OBJECTS)/tutor.mk: $(TUTOR)
	@touch $@
# What objects depend on. For `make` alone, those of one lesson are enough.
DEPEND  := common/* solutions/* $(if $(filter-out check,$(GOALS)),tests/* plots/*,\
    $(addprefix tests/,$(CURRENT) $(call is,renew)))
-include $(if $(GOALS),$(wildcard $(DEPEND:%=$(OBJECTS)/%/*.d))) \
    $(if $(findstring /fast/,$(GOALS)),$(shell find $(OBJECTS)/fast -name '*.d' 2>&-))
