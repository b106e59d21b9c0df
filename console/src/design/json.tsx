/** JSON for reading: text only, so that nothing in it can be markup. */
export function Json({ value }: { value: unknown }) {
  return (
    <pre
      tabIndex={0}
      className="overflow-x-auto whitespace-pre-wrap break-all p-4 font-mono text-label"
    >
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
