package headrace.operators;

import java.util.Collections;
import java.util.Iterator;

/** Takes from the input in bounded portions: `fill` reads some of it and gives what came of it. */
abstract class Drain<I, O> implements Iterator<O> {
  private final Iterator<I> input;
  private Iterator<O> portion = Collections.emptyIterator();

  Drain(Iterator<I> input) {
    this.input = input;
  }

  abstract Iterator<O> fill(Iterator<I> input);

  @Override
  public boolean hasNext() {
    while (!portion.hasNext() && input.hasNext()) {
      portion = fill(input);
    }
    return portion.hasNext();
  }

  @Override
  public O next() {
    hasNext();
    return portion.next();
  }
}
