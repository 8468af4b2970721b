/**
 * How this page was come to.
 * @returns {PerformanceNavigationTiming | undefined}
 */
export function arrival() {
  return /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))[0];
}
