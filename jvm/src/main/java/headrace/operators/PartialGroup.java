package headrace.operators;

/** What a task knows of a group: slots that rows filled directly, and how often single values came and went. */
record PartialGroup(Object[] state, ValueChanges values) {}
