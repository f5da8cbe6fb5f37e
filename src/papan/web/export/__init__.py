"""Games as static pages, whose rules and engine run in the browser."""
