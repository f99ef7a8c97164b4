/** The name of a section in the rail, with a shorter one where the window is narrow. */
export function RailLabel({ label, short }: { label: string; short: string | undefined }) {
  if (short === undefined) return <span>{label}</span>;
  return (
    <>
      <span className="max-md:hidden">{label}</span>
      <span className="md:hidden">{short}</span>
    </>
  );
}
