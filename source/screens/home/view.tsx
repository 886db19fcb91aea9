import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {inPlace, Select} from '../../components/menu.tsx';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {wrap} from '../../text/wrap.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {homeEntries} from './entries.ts';
import {advice, homeFacts} from './facts.ts';

/** The first screen: areas, what ledge is connected to, and why. */
export function Home(): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const connection = state.connection.data;
	const {viewport} = state.navigation;
	const {isSpoken} = useTheme();
	const entries = homeEntries(state);
	const width = viewport.columns - 5;
	const left = bodyRows(viewport.rows) - 2 - entries.length;
	const above = left < factRows ? 0 : 1;
	return (
		<Box flexDirection="column" paddingTop={above} paddingLeft={3}>
			<Box flexDirection="column" flexShrink={0} paddingBottom={1}>
				<Select
					items={entries.map(({value, label}, at) => ({
						value,
						label: cutEnd(isSpoken ? inPlace(label, at, entries.length) : label, width - 2),
					}))}
					initialIndex={Math.max(
						0,
						entries.findIndex(({value}) => value === state.navigation.homeEntry),
					)}
					onHighlight={({value}) => app.state().navigation.setHomeEntry(value)}
					onSelect={({value}) => entries.find(entry => entry.value === value)?.open(app)}
				/>
			</Box>
			{connection && <ConnectionFacts connection={connection} columns={width} rows={left + 1 - above} />}
		</Box>
	);
}

/** Minimum rows at which facts may wrap: the account is the third. */
const factRows = 4;

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
		const heading = linesOf([`${marks.failed} ${problem.message}`], columns, 2);
		return (
			<>
				<Text {...warning}>{heading.join('\n')}</Text>
				<Lines lines={linesOf([problem.details.why, problem.next], columns)} rows={rows - heading.length} />
			</>
		);
	}
	const facts = homeFacts(connection).flatMap(([name, text]) => {
		const width = columns - nameColumns;
		const wrapped = wrap(drawable(text), width);
		const lines = rows < factRows ? [cutEnd(wrapped.join(' '), width)] : wrapped;
		return lines.map((line, at) => (at === 0 ? name : '').padEnd(nameColumns) + line);
	});
	return <Lines lines={[...facts, ...advice(connection).map(line => cutEnd(line, columns))]} rows={rows} />;
}

export const homeStatus = ({connection: {data: connection}}: Has<'connection'>): string =>
	connection === undefined ? 'looking around' : 'ready';
