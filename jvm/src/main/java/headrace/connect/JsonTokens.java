package headrace.connect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Values with a schema as Spark's internal ones, straight from the tokens of JSON where these are what the schema
 * expects. What is not is left to {@link JsonForm}, which knows what Connect makes of it.
 */
final class JsonTokens {
  /** Says that the whole record is to be read the other way; it may come with every record. */
  private static final DataFault UNEXPECTED = new DataFault("unexpected token");

  /** Reads the value whose first token the parser is at. */
  private interface Cell {
    Object read(JsonParser parser, JsonToken token) throws IOException;
  }

  private final JsonForm form;
  private final Cell root;

  JsonTokens(ConnectType type, JsonForm form) {
    this.form = form;
    this.root = cell(type);
  }

  /** The value that a parser has next, or a fault where the record must be read as a tree. */
  Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw UNEXPECTED;
    }
    return root.read(parser, token);
  }

  private Cell cell(ConnectType type) {
    Cell present = present(type);
    Cell absent = absent(type);
    return (parser, token) -> (token == JsonToken.VALUE_NULL ? absent : present).read(parser, token);
  }

  /** A null, or no field at all. */
  private Cell absent(ConnectType type) {
    try {
      Object value = type.toSpark(form.read(type, null));
      return (parser, token) -> value;
    } catch (DataFault required) {
      return (parser, token) -> {
        throw UNEXPECTED;
      };
    }
  }

  private Cell present(ConnectType type) {
    return switch (type.logical) {
      case ConnectType.DECIMAL -> tree(type);
      case ConnectType.DATE, ConnectType.TIME -> (parser, token) -> wholeNumber(parser, token);
      case ConnectType.TIMESTAMP -> (parser, token) -> ConnectType.micros(longNumber(parser, token));
      default -> plain(type);
    };
  }

  private Cell plain(ConnectType type) {
    return switch (type.type) {
      case "boolean" -> JsonTokens::truth;
      case "int8" -> (parser, token) -> (byte) wholeNumber(parser, token);
      case "int16" -> (parser, token) -> (short) wholeNumber(parser, token);
      case "int32" -> (parser, token) -> wholeNumber(parser, token);
      case "int64" -> (parser, token) -> longNumber(parser, token);
      // Connect reads fractions by way of decimals, which know no negative zero.
      case "float" -> (parser, token) -> number(parser, token).getFloatValue() + 0.0f;
      case "double" -> (parser, token) -> number(parser, token).getDoubleValue() + 0.0;
      case "string" -> JsonTokens::text;
      case "array" -> array(cell(type.values));
      case "struct" -> struct(type);
      default -> tree(type);
    };
  }

  private Cell tree(ConnectType type) {
    return (parser, token) -> type.toSpark(form.read(type, JsonTree.MAPPER.readTree(parser)));
  }

  private static Object truth(JsonParser parser, JsonToken token) {
    if (!token.isBoolean()) {
      throw UNEXPECTED;
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private static Object text(JsonParser parser, JsonToken token) throws IOException {
    return UTF8String.fromString(expected(JsonToken.VALUE_STRING, parser, token).getText());
  }

  private static int wholeNumber(JsonParser parser, JsonToken token) throws IOException {
    if (expected(JsonToken.VALUE_NUMBER_INT, parser, token).getNumberType() != JsonParser.NumberType.INT) {
      throw UNEXPECTED;
    }
    return parser.getIntValue();
  }

  private static long longNumber(JsonParser parser, JsonToken token) throws IOException {
    if (expected(JsonToken.VALUE_NUMBER_INT, parser, token).getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw UNEXPECTED;
    }
    return parser.getLongValue();
  }

  /** Whole numbers that no long holds are rarely meant. */
  private static JsonParser number(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_FLOAT) {
      longNumber(parser, token);
    }
    return parser;
  }

  private static JsonParser expected(JsonToken wanted, JsonParser parser, JsonToken token) {
    if (token != wanted) {
      throw UNEXPECTED;
    }
    return parser;
  }

  private static Cell array(Cell element) {
    return (parser, token) -> {
      expected(JsonToken.START_ARRAY, parser, token);
      List<Object> elements = new ArrayList<>();
      for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
        elements.add(element.read(parser, next));
      }
      return new GenericArrayData(elements.toArray());
    };
  }

  private Cell struct(ConnectType type) {
    Struct struct = new Struct(type.fields.size());
    type.fields.forEach(field -> struct.add(field.name(), cell(field.type()), absent(field.type())));
    return struct;
  }

  private static final class Struct implements Cell {
    /** What a field has until it is met; a null may be its value. */
    private static final Object MISSING = new Object();

    private final String[] names;
    private final Cell[] cells;
    private final Cell[] absent;
    private final Map<String, Integer> places = new HashMap<>();

    Struct(int width) {
      names = new String[width];
      cells = new Cell[width];
      absent = new Cell[width];
    }

    void add(String name, Cell cell, Cell missing) {
      int place = places.size();
      names[place] = name;
      cells[place] = cell;
      absent[place] = missing;
      places.put(name, place);
    }

    @Override
    public Object read(JsonParser parser, JsonToken token) throws IOException {
      expected(JsonToken.START_OBJECT, parser, token);
      Object[] values = new Object[cells.length];
      Arrays.fill(values, MISSING);
      int likely = 0;
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        int place = likely < names.length && names[likely].equals(name) ? likely : places.getOrDefault(name, -1);
        JsonToken first = parser.nextToken();
        if (place < 0) {
          parser.skipChildren();
        } else {
          values[place] = cells[place].read(parser, first);
          likely = place + 1;
        }
      }
      for (int i = 0; i < values.length; i++) {
        values[i] = values[i] == MISSING ? absent[i].read(parser, null) : values[i];
      }
      return new GenericInternalRow(values);
    }
  }
}
