import {Box, Text} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {useTheme} from '../../../components/theme.ts';
import {expressionLooks} from '../../expression-editor/looks.ts';
import {Pieces} from '../../shell/pieces.tsx';
import type {Row} from '../../shell/rows.ts';
import {detailColumns, detailRows} from '../detail-rows.ts';
import type {FirewallState} from '../slice.ts';

/** The rule or filter under the cursor, from a row on, in as many rows as there are; of more, the last one says so. */
export function Detail({
	firewall,
	top,
	columns,
	height,
}: {
	readonly firewall: FirewallState;
	readonly top: number;
	/** Of the screen. */
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const {dim, marks} = useTheme();
	const rows = useMemo(() => detailRows(firewall, detailColumns(columns), marks), [firewall, columns, marks]);
	const first = Math.max(0, Math.min(top, rows.length - height));
	const more = rows.length - first - height;
	const shown = rows.slice(first, first + height - (more > 0 ? 1 : 0));
	const lines: ReactElement[] = [];
	for (let slot = 0; slot < shown.length; slot++)
		lines.push(<DetailRow key={slot} row={shown[slot] ?? []} />);
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{lines}
			{more > 0 && <Text {...dim}>{`   … ${more + 1} more rows`}</Text>}
		</Box>
	);
}

const DetailRow = memo(({row}: {readonly row: Row}): ReactElement => {
	const {name, dim, warning} = useTheme();
	const looks = {...expressionLooks[name], plain: {}, dim, warning, bold: {bold: true}};
	return <Pieces pieces={row.map(({text, look}) => ({text, look: looks[look]}))} />;
});
