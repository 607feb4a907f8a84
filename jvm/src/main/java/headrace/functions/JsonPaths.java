package headrace.functions;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * JSON paths that may find several values. A path is a line per step: `.name`, `#index`, `*` for all children, `^name` for
 * a name at any depth, `^` for everything at any depth, `:first:behind` for a part of an array. Names and indices of one
 * step may be several, separated by tabs.
 */
public final class JsonPaths {
  private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonPaths() {}

  /** All that is found as a JSON array; null where the document is no JSON, or lacks a step before the first of many. */
  public static UTF8String found(UTF8String document, UTF8String path) {
    try {
      JsonNode root = JSON.readTree(document.getBytes());
      List<JsonNode> nodes = root.isMissingNode() ? List.of() : walked(root, path.toString());
      return nodes == null || root.isMissingNode() ? null : UTF8String.fromString(JSON.writeValueAsString(array(nodes)));
    } catch (IOException malformed) {
      return null;
    }
  }

  /** For a call that was asked to fail. */
  public static UTF8String fault(UTF8String document, UTF8String function) {
    throw ExpressionException.invalidArgument(function.toString(), document.toString());
  }

  private static ArrayNode array(List<JsonNode> nodes) {
    return JSON.createArrayNode().addAll(nodes);
  }

  private static List<JsonNode> walked(JsonNode root, String path) {
    List<JsonNode> nodes = List.of(root);
    boolean several = false;
    for (String step : path.split("\n")) {
      several |= isSeveral(step);
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

  private static boolean isSeveral(String step) {
    return "*^:".indexOf(step.charAt(0)) >= 0 || step.indexOf('\t') >= 0;
  }

  private static void take(JsonNode node, String step, List<JsonNode> into) {
    String named = step.substring(1);
    switch (step.charAt(0)) {
      case '.' -> children(node, named, into);
      case '#' -> elements(node, named, into);
      case '*' -> node.forEach(into::add);
      case ':' -> slice(node, named, into);
      default -> descend(node, named, into);
    }
  }

  private static void children(JsonNode node, String names, List<JsonNode> into) {
    for (String name : names.split("\t", -1)) {
      if (node.has(name)) {
        into.add(node.get(name));
      }
    }
  }

  private static void elements(JsonNode node, String places, List<JsonNode> into) {
    for (String place : places.split("\t")) {
      int index = fromStart(place, node.size());
      if (node.isArray() && node.has(index)) {
        into.add(node.get(index));
      }
    }
  }

  private static void slice(JsonNode node, String bounds, List<JsonNode> into) {
    String[] ends = bounds.split(":", -1);
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
