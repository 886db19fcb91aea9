import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {addPosition, Select} from '../../components/menu.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {wrapText} from '../../text/wrap.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {buildHomeEntries} from './entries.ts';
import {buildHomeAdvice, buildHomeFacts} from './facts.ts';

/** The first screen: areas, what ledge is connected to, and why. */
export function Home(): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const connection = state.connection.data;
	const {viewport} = state.navigation;
	const {isSpoken} = useTheme();
	const entries = buildHomeEntries(state);
	const width = viewport.columns - 5;
	const factRows = getBodyRows(viewport.rows) - 2 - entries.length;
	const paddingRows = factRows < minFactRows ? 0 : 1;
	return (
		<Box flexDirection="column" paddingTop={paddingRows} paddingLeft={3}>
			<Box flexDirection="column" flexShrink={0} paddingBottom={1}>
				<Select
					items={entries.map(({value, label}, index) => ({
						value,
						label: cutEnd(isSpoken ? addPosition(label, index, entries.length) : label, width - 2),
					}))}
					initialIndex={Math.max(
						0,
						entries.findIndex(({value}) => value === state.navigation.homeEntry),
					)}
					onHighlight={({value}) => app.state().navigation.setHomeEntry(value)}
					onSelect={({value}) => entries.find(entry => entry.value === value)?.open(app)}
				/>
			</Box>
			{connection && (
				<ConnectionFacts connection={connection} columns={width} rows={factRows + 1 - paddingRows} />
			)}
		</Box>
	);
}

/** Minimum rows at which facts may wrap. With fewer, wrapping could hide the account, the third fact. */
const minFactRows = 4;

/** Width of the column of fact names. */
const nameColumns = 16;

function ConnectionFacts({
	connection,
	columns,
	rows,
}: {
	readonly connection: Connection;
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {warning, marks} = useTheme();
	const {problem} = connection;
	if (problem) {
		const heading = wrapParagraphs([`${marks.failed} ${problem.message}`], columns, 2);
		return (
			<>
				<Text {...warning}>{heading.join('\n')}</Text>
				<Lines
					lines={wrapParagraphs([problem.details.why, problem.next], columns)}
					rows={rows - heading.length}
				/>
			</>
		);
	}
	const facts = buildHomeFacts(connection).flatMap(([name, text]) => {
		const width = columns - nameColumns;
		const wrapped = wrapText(toDrawable(text), width);
		const lines = rows < minFactRows ? [cutEnd(wrapped.join(' '), width)] : wrapped;
		return lines.map((line, index) => (index === 0 ? name : '').padEnd(nameColumns) + line);
	});
	return (
		<Lines
			lines={[...facts, ...buildHomeAdvice(connection).map(line => cutEnd(line, columns))]}
			rows={rows}
		/>
	);
}

export const getHomeStatus = ({connection: {data: connection}}: StateWith<'connection'>): string =>
	connection === undefined ? 'loading…' : 'ready';
