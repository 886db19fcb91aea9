/** Where a rule goes in its ruleset; `index` counts from 1, and an empty id is the beginning or the end. */
export type Position = {readonly index: number} | {readonly before: string} | {readonly after: string};

/** The rules with one more at a position; at the end where the position names a rule that is not among them. */
export function inPlace<Rule extends {readonly id?: string | undefined}>(
	others: readonly Rule[],
	rule: Rule,
	position: Position,
): readonly Rule[] {
	return others.toSpliced(slot(others, position), 0, rule);
}

function slot(others: readonly {readonly id?: string | undefined}[], position: Position): number {
	if ('index' in position) return Math.min(Math.max(1, position.index), others.length + 1) - 1;
	const [named, behind] = 'before' in position ? [position.before, 0] : [position.after, 1];
	if (named === '') return behind * others.length;
	const at = others.findIndex(({id}) => id === named);
	return at < 0 ? others.length : at + behind;
}
