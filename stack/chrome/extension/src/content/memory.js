/**
 * Answers that hold for one look at the page. Nothing of the page changes while a look lasts, so what was asked of an
 * element once need not be asked again; `freshen` begins the next look, and has to be called whenever something was done.
 */

let look = 0;

export function freshen() {
  look += 1;
}

/** A function of an element that remembers its answers for the look. @template T @param {(element: any) => T} compute @returns {(element: any) => T} */
export function remembered(compute) {
  let known = new Map();
  let of = -1;
  return (element) => {
    if (of !== look) {
      known = new Map();
      of = look;
    }
    let answer = known.get(element);
    if (answer === undefined && !known.has(element)) {
      answer = compute(element);
      known.set(element, answer);
    }
    return answer;
  };
}
