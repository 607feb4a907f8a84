package headrace.lake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Objects of a bucket, as multipart uploads: nothing shows before the last request. */
final class S3Store implements Store {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(S3Store.class);
  private static final Pattern UPLOAD = Pattern.compile("<UploadId>(.*?)</UploadId>");
  private static final byte[] NOTHING = new byte[0];

  private final S3Spec spec;

  S3Store(S3Spec spec) {
    this.spec = spec;
  }

  @Override
  public Upload begin(String key) {
    return new Parts(key);
  }

  /** The id of a new upload. */
  private String create(String key) throws IOException {
    Map<String, String> headers = new HashMap<>(spec.created());
    headers.putAll(spec.sent());
    String body = client().ask("POST", key, Map.of("uploads", ""), headers, NOTHING).body();
    Matcher id = UPLOAD.matcher(body);
    if (!id.find()) {
      throw new IOException("S3 gives no id for an upload of " + key);
    }
    return id.group(1);
  }

  private S3Client client() {
    return S3Client.of(spec);
  }

  @Override
  public void complete(PendingFile file) throws IOException {
    StringBuilder list = new StringBuilder("<CompleteMultipartUpload>");
    for (int i = 0; i < file.parts().size(); i++) {
      list.append("<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>".formatted(i + 1, file.parts().get(i)));
    }
    byte[] body = list.append("</CompleteMultipartUpload>").toString().getBytes(StandardCharsets.UTF_8);
    try {
      S3Client.Answer answer = client().ask("POST", file.key(), Map.of("uploadId", file.id()), Map.of(), body);
      if (answer.body().contains("<Error>")) { // S3 may find it out after it has begun to answer
        throw new S3Exception("POST", spec.bucket(), file.key(), answer.status(), answer.body());
      }
    } catch (S3Exception refused) {
      if (!refused.code.equals("NoSuchUpload") || !exists(file.key())) {
        throw refused;
      }
    }
    if (spec.tags() != null) {
      tag(file);
    }
  }

  private boolean exists(String key) throws IOException {
    return client().send("HEAD", key, Map.of(), spec.sent(), NOTHING).status() < 300;
  }

  private void tag(PendingFile file) throws IOException {
    Map<String, String> tags = new TreeMap<>(spec.tags());
    tags.put("startOffset", Long.toString(file.start()));
    tags.put("endOffset", Long.toString(file.end()));
    tags.put("recordCount", Long.toString(file.records()));
    StringBuilder set = new StringBuilder("<Tagging><TagSet>");
    tags.forEach((name, value) -> set.append("<Tag><Key>").append(xml(name)).append("</Key><Value>").append(xml(value))
        .append("</Value></Tag>"));
    byte[] body = set.append("</TagSet></Tagging>").toString().getBytes(StandardCharsets.UTF_8);
    try {
      client().ask("PUT", file.key(), Map.of("tagging", ""), Map.of(), body);
    } catch (IOException untagged) {
      if (spec.tagErrorsFail()) {
        throw untagged;
      }
      LOG.warn("object {} is written and has no tags: {}", file.key(), untagged.getMessage());
    }
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public void abort(PendingFile file) throws IOException {
    client().send("DELETE", file.key(), Map.of("uploadId", file.id()), Map.of(), NOTHING);
  }

  /** Bytes are sent as soon as there are enough for a part; before that the store has not heard of the upload. */
  private final class Parts extends Upload {
    private final String key;
    private String id;
    private final List<String> tags = new ArrayList<>();
    private final Buffer buffer = new Buffer();

    Parts(String key) {
      this.key = key;
    }

    @Override
    public void write(int single) throws IOException {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      buffer.write(bytes, start, length);
      if (buffer.size() >= spec.partSize()) {
        send();
      }
    }

    private void send() throws IOException {
      if (id == null) {
        id = create(key);
      }
      Map<String, String> part = Map.of("partNumber", Integer.toString(tags.size() + 1), "uploadId", id);
      tags.add(client().ask("PUT", key, part, spec.sent(), buffer.toByteArray()).tag());
      buffer.reset();
    }

    @Override
    Ticket finish() throws IOException {
      if (buffer.size() > 0 || tags.isEmpty()) {
        send();
      }
      return new Ticket(id, List.copyOf(tags));
    }

    @Override
    void abort() throws IOException {
      if (id != null) {
        S3Store.this.abort(new PendingFile(key, id, List.of(), 0, 0, 0));
      }
    }
  }

  private static final class Buffer extends java.io.ByteArrayOutputStream {}
}
