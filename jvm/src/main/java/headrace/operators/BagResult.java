package headrace.operators;

import headrace.functions.JsonTexts;
import headrace.operators.AggregateSpec.CallSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** What is made of the values of a group; of no value NULL, but for a multiset and for JSON. */
enum BagResult {
  /** Of a subquery that stands for a value. */
  SINGLE {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = elements(bag, type, spec);
      if (values.size() > 1) {
        throw new IllegalArgumentException("SEVERAL_ROWS count=" + values.size());
      }
      return values.isEmpty() ? null : values.get(0);
    }
  },
  FIRST {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = elements(bag, type, spec);
      return values.isEmpty() ? null : values.get(0);
    }
  },
  LAST {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = elements(bag, type, spec);
      return values.isEmpty() ? null : values.get(values.size() - 1);
    }
  },
  TEXT {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = elements(bag, type, spec);
      UTF8String separator = UTF8String.fromString(spec.separator());
      return values.isEmpty() ? null : UTF8String.concatWs(separator, values.toArray(UTF8String[]::new));
    }
  },
  ARRAY {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = elements(bag, type, spec);
      return values.isEmpty() ? null : new GenericArrayData(values.toArray());
    }
  },
  MULTISET {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      List<Object> values = new ArrayList<>();
      List<Object> counts = new ArrayList<>();
      bag.forEach((value, count) -> {
        values.add(ValueChanges.value(value, type));
        counts.add(spec.distinct() ? 1 : (int) count);
      });
      return new ArrayBasedMapData(new GenericArrayData(values.toArray()), new GenericArrayData(counts.toArray()));
    }
  },
  /** Values are texts of JSON. */
  JSON_ARRAY {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      StringJoiner items = new StringJoiner(",", "[", "]");
      elements(bag, type, spec).forEach(item -> items.add(String.valueOf(item)));
      return UTF8String.fromString(items.toString());
    }
  },
  /** Values are rows of two texts of JSON, a key and what it stands for; members are sorted by their names. */
  JSON_OBJECT {
    @Override
    Object of(Bag bag, DataType type, CallSpec spec) {
      Map<String, String> members = new TreeMap<>();
      for (Object value : elements(bag, type, spec)) {
        InternalRow member = (InternalRow) value;
        if (member.isNullAt(0)) {
          throw new IllegalArgumentException("INVALID_JSON_KEY NULL");
        }
        if (member.isNullAt(1) && !spec.keepsNulls()) {
          continue;
        }
        UTF8String key = member.getUTF8String(0);
        String name = JsonTexts.unquoted(key).toString();
        if (members.put(name, key + ":" + member.getUTF8String(1)) != null) {
          throw new IllegalArgumentException("INVALID_JSON_KEY " + key + " twice");
        }
      }
      return UTF8String.fromString("{" + String.join(",", members.values()) + "}");
    }
  };

  abstract Object of(Bag bag, DataType type, CallSpec spec);

  /** Every copy, or with DISTINCT every value once. */
  static List<Object> elements(Bag bag, DataType type, CallSpec spec) {
    List<Object> values = new ArrayList<>();
    bag.forEach((packed, count) -> {
      Object value = ValueChanges.value(packed, type);
      for (long copy = 0; copy < (spec.distinct() ? 1 : count); copy++) {
        values.add(value);
      }
    });
    return values;
  }
}
