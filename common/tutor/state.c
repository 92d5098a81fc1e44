/* How far the learner is: all lessons, and their results. */
#include "tutor/commands.h"

#include "base/files.h"
#include "base/screen.h"
#include "diagnose/diagnose.h"
#include "tutor/words.h"

#include <stdio.h>
#include <string.h>

struct lesson *read_lessons(const char *from, const char *out, const char *before) {
    struct lesson *all = with_room(NULL, 0, sizeof *all);
    int count = 0;
    for (char **f = lesson_folders("lessons"); *f && strcmp(*f, before) < 0; f++) {
        lesson_read(&all[count], *f, from, out);
        results_load(&all[count]);
        count += file_is_there(all[count].header);
        all = with_room(all, count, sizeof *all);
    }
    all[count] = (struct lesson){.count = 0};
    return all;
}

/* Where to go after `current`: the next lesson that is not passed, or else an earlier one. */
static void note_next(struct progress *progress, const struct lesson *lesson, bool behind) {
    if (progress->next && (!behind || progress->next_is_behind))
        return;
    progress->next = lesson;
    progress->next_is_behind = behind;
}

static struct progress progress_in(struct lesson *lessons, const struct lesson *current) {
    struct progress progress = {0};
    EACH_LESSON (l, lessons) {
        int order = current ? strcmp(l->folder, current->folder) : 0;
        progress.done += lesson_done_count(current && order == 0 ? current : l);
        progress.total += l->count;
        if (current && order != 0 && !lesson_done(l))
            note_next(&progress, l, order > 0);
        progress.make_is_before |= order < 0 && !lesson_done(l);
    }
    return progress;
}

struct progress measure_progress(const struct lesson *current, const struct settings *settings) {
    return progress_in(read_lessons(settings->from, settings->out, ALL_LESSONS), current);
}

/* FROM OUT: for make, "passed:NN-name", "renew:", "record:" and "current:"; see lesson.h. A lesson
   that is to be renewed counts as passed until then. "last:" was checked last, and is not passed.
 */
int run_state(struct job *job) {
    struct lesson *lessons = read_lessons(job->words[0], job->words[1], ALL_LESSONS);
    const char *last = file_text(path_of("%s/last", job->words[1]));
    bool current = false;
    EACH_LESSON (l, lessons) {
        enum results results = results_load(l);
        bool passed = results == RENEWABLE || (results == RESULTS && lesson_done(l));
        if (results == RENEWABLE || results == OLD_RESULTS)
            printf("%s:%s ", results == RENEWABLE ? "renew" : "record", l->folder);
        if (passed || !current)
            printf("%s:%s ", passed ? "passed" : "current", l->folder);
        if (!passed && strcmp(last, l->folder) == 0)
            printf("last:%s ", l->folder);
        current = current || !passed;
    }
    return 0;
}

/* A line for each lesson, from the results that are there. */
int run_list(struct job *job) {
    struct lesson *lessons = read_lessons(job->settings->from, job->settings->out, ALL_LESSONS);
    struct progress progress = progress_in(lessons, NULL);
    int most = 0;
    show_progress(&progress);
    EACH_LESSON (l, lessons)
        most = l->count > most ? l->count : most;
    EACH_LESSON (l, lessons)
        show_lesson_line(l, most);
    say(PLAIN, "\n + done   x wrong   ! broken   . to do   ? not checked\n");
    return 0;
}

/* After the last lesson there is nothing to check. */
int run_finished(struct job *job) {
    struct progress progress = measure_progress(NULL, job->settings);
    if (findings_are_wanted()) {
        findings_print(NULL, NULL, &progress, true);
        return 0;
    }
    show_progress(&progress);
    say(PLAIN,
        "\nEvery lesson is done. make report writes your homework, make plots the pictures.\n");
    return 0;
}

/* How many letters of the shorter name both begin with, or all of them if the other holds it. */
static int likeness(const char *a, const char *b) {
    int alike = 0;
    while (a[alike] && a[alike] == b[alike])
        alike++;
    return strstr(a, b) ? (int)strlen(b) : strstr(b, a) ? (int)strlen(a) : alike;
}

/* EXERCISE: the number of its lesson. */
int run_find(struct job *job) {
    const char *name = job->words[0];
    struct lesson *lessons = read_lessons(job->settings->from, job->settings->out, ALL_LESSONS);
    const char *found = "", *all = "", *near = "";
    int count = 0, most = 3;
    EACH_LESSON (l, lessons) {
        if (lesson_exercise(l, name)) {
            found = path_of("%s", l->number);
            all = path_of("%s%s%s", all, count++ ? " and " : "", l->number);
        }
        for (struct exercise *e = l->exercises; e < l->exercises + l->count; e++) {
            int alike = likeness(e->name, name);
            if (alike > most)
                near = path_of(" Is it %s of lesson %s?", e->name, l->number);
            most = alike > most ? alike : most;
        }
    }
    if (count == 1)
        puts(found);
    else if (count == 0)
        fprintf(stderr, "No lesson has an exercise %s.%s\n", name, near);
    else
        fprintf(stderr,
                "Lessons %s have an exercise %s. Name the lesson: make hint-%s EXERCISE=%s\n", all,
                name, found, name);
    return count == 1 ? 0 : 2;
}

void note_last(const struct job *job) {
    const char *path = path_of("%s/last", job->settings->out);
    struct text text = {0};
    text_print(&text, "%s", job->lesson.folder);
    make_folder_of(path);
    file_replace(path, &text);
}

bool keep_diagnosed(struct check *check, bool all) {
    (all ? diagnose_all : diagnose)(check);
    words_tell(check, check->task.lesson);
    return check_save(check);
}

/* The file has a line "right asked total" for the first try and for the last. */
const char *quiz_score(const struct lesson *lesson) {
    int right, asked, total, last_right, last_asked;
    int count = sscanf(file_text(lesson_file(lesson, "quiz")), "%d %d %d %d %d", &right, &asked,
                       &total, &last_right, &last_asked);
    if (count == 5)
        return path_of("%d of %d, then %d of %d", right, asked, last_right, last_asked);
    return count < 3 ? "" : path_of("%d of %d%s", right, asked, asked < total ? " so far" : "");
}
