package headrace.operators;

import java.io.Serializable;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.optimizer.ReplaceExpressions;
import org.apache.spark.sql.catalyst.optimizer.RewriteWithExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * A condition given as text, resolved by Spark on the driver, to be evaluated on rows in the tasks. Where it uses a part of
 * itself twice (BETWEEN, NULLIF), Spark computes that part in a projection `below` it, over the rows' own `columns`;
 * otherwise `below` is null. The condition `sees` what that projection gives, or the columns.
 */
record RowCondition(Expression holds, Seq<Attribute> sees, Seq<NamedExpression> below, Seq<Attribute> columns)
    implements Serializable {

  /** Null for no condition. Spark resolves it as the projection of an empty table. */
  static RowCondition of(SparkSession session, String condition, StructType schema) {
    if (condition == null) {
      return null;
    }
    Dataset<Row> table = session.createDataFrame(List.<Row>of(), schema).select(functions.expr(condition).as("holds"));
    LogicalPlan analyzed = ((org.apache.spark.sql.classic.Dataset<Row>) table).queryExecution().analyzed();
    Project top = (Project) RewriteWithExpression.apply(ReplaceExpressions.apply(analyzed));
    Expression holds = ((Alias) top.projectList().head()).child();
    Seq<Attribute> sees = top.child().output();
    return top.child() instanceof Project below
        ? new RowCondition(holds, sees, below.projectList(), below.child().output())
        : new RowCondition(holds, sees, null, sees);
  }

  Predicate<InternalRow> open() {
    BasePredicate test = org.apache.spark.sql.catalyst.expressions.Predicate.create(holds, sees);
    if (below == null) {
      return test::eval;
    }
    UnsafeProjection prepare = UnsafeProjection.create(expressions(below), columns);
    return row -> test.eval(prepare.apply(row));
  }

  @SuppressWarnings("unchecked") // every named expression is an expression
  private static Seq<Expression> expressions(Seq<NamedExpression> named) {
    return (Seq<Expression>) (Seq<?>) named;
  }
}
