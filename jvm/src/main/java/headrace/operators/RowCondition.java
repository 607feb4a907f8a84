package headrace.operators;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate;
import org.apache.spark.sql.catalyst.optimizer.ReplaceExpressions;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/** A condition given as text, resolved by Spark on the driver, to be evaluated on rows in the tasks. */
record RowCondition(Expression holds, Seq<Attribute> columns) implements Serializable {

  /** Null for no condition. Spark resolves it as the projection of an empty table. */
  static RowCondition of(SparkSession session, String condition, StructType schema) {
    if (condition == null) {
      return null;
    }
    Dataset<Row> table = session.createDataFrame(List.<Row>of(), schema).select(functions.expr(condition).as("holds"));
    Project analyzed = (Project) ((org.apache.spark.sql.classic.Dataset<Row>) table).queryExecution().analyzed();
    Project project = (Project) ReplaceExpressions.apply(analyzed);
    return new RowCondition(((Alias) project.projectList().head()).child(), project.child().output());
  }

  BasePredicate open() {
    return Predicate.create(holds, columns);
  }
}
