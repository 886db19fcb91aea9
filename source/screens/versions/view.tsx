import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {type Column, ListBody, Table} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {differenceRows} from './difference-rows.ts';
import {visibleVersions} from './slice.ts';

/** The versions of a ruleset, and what restoring the one under the cursor would change. */
export function Versions(): ReactElement {
	const versions = useLedge(state => state.versions.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const width = columns - 5;
	const differences = useMemo(() => (versions ? differenceRows(versions, width) : []), [versions, width]);
	if (!versions) return <Empty title="No rules are open." next="esc leads back" />;
	const inForce = versions.of.ruleset.version;
	const table: readonly Column<Ruleset>[] = [
		{title: 'VERSION', width: () => 9, align: 'right', text: ({version}) => version},
		{title: 'MADE', gap: 2, width: () => 28, text: ({last_updated: made}) => made ?? ''},
		{title: 'NOTE', gap: 2, text: ({version}) => (version === inForce ? 'in force' : '')},
	];
	const visible = visibleVersions(versions);
	if (visible.length === 0)
		return (
			<ListBody
				list={versions}
				visible={visible}
				columns={table}
				narrowed={`No version has "${versions.filter}" in its number or time.`}
				none={{title: 'The service keeps no versions of these rules.', next: 'esc leads back'}}
			/>
		);
	const height = bodyRows(rows);
	const below = Math.max(3, Math.floor(height * 0.5));
	return (
		<>
			<Box flexDirection="column" height={height - below - 1} flexShrink={0}>
				<Table columns={table} rows={visible} cursor={versions.cursor} below={below + 1} />
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={differences} top={0} height={below} />
		</>
	);
}

/** How many versions there are. */
export function versionsStatus({versions: {data: versions}}: Has<'versions'>): string {
	if (versions?.reading !== 'read') return '';
	const {rows, filter} = versions;
	return filter === ''
		? counted(rows.length, 'version')
		: `${visibleVersions(versions).length} of ${counted(rows.length, 'version')}`;
}
