package headrace.functions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * What paths find in JSON documents. A path is a line per step: `.name`, `#index`, `(` for how many members there are,
 * `*` for all children, `^name` for a name at any depth, `^` for everything at any depth, `:first:behind` for a part of an
 * array. Names and indices of one step may be several, separated by tabs.
 */
public final class JsonPaths {
  private static final ThreadLocal<RecentlyUsed<Step[]>> STEPS =
      ThreadLocal.withInitial(() -> new RecentlyUsed<>(JsonPaths::steps));

  private JsonPaths() {}

  /** `parts` are names, indices or bounds, as the kind has them. */
  private record Step(char kind, String[] parts) {
    boolean isSeveral() {
      return "*^:".indexOf(kind) >= 0 || parts.length > 1;
    }
  }

  private static Step[] steps(String path) {
    return Arrays.stream(path.split("\n")).map(JsonPaths::step).toArray(Step[]::new);
  }

  private static Step step(String line) {
    char kind = line.charAt(0);
    return new Step(kind, line.substring(1).split(kind == ':' ? ":" : "\t", -1));
  }

  /** The text of a scalar. */
  public static UTF8String value(UTF8String document, UTF8String path) {
    JsonNode node = place(document, path);
    return node.isValueNode() && !node.isNull() ? UTF8String.fromString(node.asText()) : null;
  }

  /** The JSON of an object or an array; of a scalar, which a null is not, inside the array that a wrapper adds. */
  public static UTF8String query(UTF8String document, UTF8String path, UTF8String wrapper) {
    JsonNode node = place(document, path);
    String wrapped = wrapper.toString();
    if (node.isMissingNode() || node.isNull() || node.isValueNode() && wrapped.equals("WITHOUT")) {
      return null;
    }
    boolean bare = wrapped.equals("WITHOUT") || wrapped.equals("WITH CONDITIONAL") && node.isArray();
    return JsonDocuments.written(bare ? node : JsonDocuments.array(List.of(node)));
  }

  /** The name of the type of what is found, or null where nothing is. */
  public static UTF8String type(UTF8String document, UTF8String path) {
    JsonNode node = place(document, path);
    return node.isMissingNode() ? null : UTF8String.fromString(node.getNodeType().name().toLowerCase(Locale.ROOT));
  }

  /** How many members there are; a scalar is one. */
  public static Integer length(UTF8String document, UTF8String path) {
    JsonNode node = place(document, path);
    if (node.isMissingNode()) {
      return null;
    }
    return node.isValueNode() ? 1 : node.size();
  }

  /** All that is found as a JSON array; null where the document is no JSON, or lacks a step before the first of many. */
  public static UTF8String found(UTF8String document, UTF8String path) {
    JsonNode root = JsonDocuments.root(document);
    List<JsonNode> nodes = root.isMissingNode() ? null : walked(root, path.toString());
    return nodes == null ? null : JsonDocuments.written(JsonDocuments.array(nodes));
  }

  private static JsonNode place(UTF8String document, UTF8String path) {
    JsonNode root = JsonDocuments.root(document);
    List<JsonNode> nodes = root.isMissingNode() || path.numBytes() == 0 ? List.of(root) : walked(root, path.toString());
    return nodes == null ? MissingNode.getInstance() : nodes.get(0);
  }

  /** For a call that was asked to fail. */
  public static UTF8String fault(UTF8String document, UTF8String function) {
    throw ExpressionException.invalidArgument(function.toString(), document.toString());
  }

  private static List<JsonNode> walked(JsonNode root, String path) {
    List<JsonNode> nodes = List.of(root);
    boolean several = false;
    for (Step step : STEPS.get().of(path)) {
      several |= step.isSeveral();
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode node : nodes) {
        take(node, step, next);
      }
      if (next.isEmpty() && !several) {
        return null;
      }
      nodes = next;
    }
    return nodes;
  }

  private static void take(JsonNode node, Step step, List<JsonNode> into) {
    String[] parts = step.parts();
    switch (step.kind()) {
      case '.' -> children(node, parts, into);
      case '#' -> elements(node, parts, into);
      case '(' -> count(node, into);
      case '*' -> node.forEach(into::add);
      case ':' -> slice(node, parts, into);
      default -> descend(node, parts[0], into);
    }
  }

  private static void children(JsonNode node, String[] names, List<JsonNode> into) {
    for (String name : names) {
      if (node.has(name)) {
        into.add(node.get(name));
      }
    }
  }

  private static void elements(JsonNode node, String[] places, List<JsonNode> into) {
    for (String place : places) {
      int index = fromStart(place, node.size());
      if (node.isArray() && node.has(index)) {
        into.add(node.get(index));
      }
    }
  }

  private static void count(JsonNode node, List<JsonNode> into) {
    if (node.isContainerNode()) {
      into.add(IntNode.valueOf(node.size()));
    }
  }

  private static void slice(JsonNode node, String[] ends, List<JsonNode> into) {
    int size = node.isArray() ? node.size() : 0;
    int first = ends[0].isEmpty() ? 0 : Math.max(fromStart(ends[0], size), 0);
    int behind = ends[1].isEmpty() ? size : Math.min(fromStart(ends[1], size), size);
    for (int index = first; index < behind; index++) {
      into.add(node.get(index));
    }
  }

  private static void descend(JsonNode node, String name, List<JsonNode> into) {
    if (name.isEmpty()) {
      node.forEach(into::add);
    } else if (node.isObject() && node.has(name)) {
      into.add(node.get(name));
    }
    node.forEach(child -> descend(child, name, into));
  }

  /** A negative place counts from the end. */
  private static int fromStart(String place, int size) {
    int index = Integer.parseInt(place);
    return index < 0 ? size + index : index;
  }
}
