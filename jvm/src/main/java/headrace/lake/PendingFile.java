package headrace.lake;

import java.util.List;

/** A file that is uploaded and does not show yet; as JSON in the driver's log. `end` is the offset of its last record. */
record PendingFile(String key, String id, List<String> parts, long start, long end, long records) {}
