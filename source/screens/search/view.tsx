import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {longWorkText} from '../../kv/long-work.ts';
import type {Hit} from '../../kv/transfer/search.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {chosenPart} from '../keys/chosen.ts';
import {fewerKeys} from '../keys/long-time.ts';
import {RowLine} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {hitRow, hitTitles, searchSummary} from './rows.ts';
import {hitList, type SearchState, searchWork} from './state.ts';

/** The Search screen: hits appear as they are found. */
export function Search(): ReactElement {
	const search = useLedge(state => state.search.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim} = useTheme();
	if (!search)
		return (
			<Empty title="Nothing was searched." next="f in the keys of a namespace searches in their values." />
		);
	const {cursor} = search;
	const visible = hitList.visible(search);
	if (visible.length === 0) return <Empty {...whyEmpty(search)} />;
	return (
		<>
			<Text {...dim} wrap="truncate">
				{hitTitles(search, columns)}
			</Text>
			<List
				count={visible.length}
				cursor={cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => <HitLine hit={visible[index]} columns={columns} isHere={isHere} />}
			/>
		</>
	);
}

const HitLine = memo(
	({
		hit,
		columns,
		isHere,
	}: {
		readonly hit: Hit | undefined;
		readonly columns: number;
		readonly isHere: boolean;
	}): ReactElement => {
		const {marks} = useTheme();
		return <RowLine row={hit ? hitRow(hit, columns, isHere, marks.here) : []} bold={isHere} />;
	},
);

/** Describes why there is no row; during a search, the status line shows the progress. */
function whyEmpty(search: SearchState): Parameters<typeof Empty>[0] {
	const {phase, request, filter, searched} = search;
	if (filter !== '') return {title: `No hit has "${drawable(filter)}" in it.`, next: 'esc shows all hits'};
	const part = chosenPart(request.keys);
	switch (phase.name) {
		case 'searching': {
			const text = longWorkText(searchWork(search), searched, request.total);
			return text === undefined ? {title: ''} : {title: text, next: fewerKeys[request.keys.kind]};
		}
		case 'done':
			return {
				title: `No value has "${drawable(request.pattern)}".`,
				next: `${part === undefined ? '' : `Only ${drawable(part)} were searched. `}f searches for another text`,
			};
		case 'stopped':
			return {title: 'Stopped before it was found.', next: 'c continues, ctrl-r starts again'};
		case 'failed':
			return {failure: phase.failure, next: 'c continues where it stopped'};
		default:
			return phase satisfies never;
	}
}

/** Status line: hits and progress; afterwards also the full key under the cursor. */
export function searchStatus({search: {data: search}}: Has<'search'>): string {
	if (!search) return '';
	const here = search.phase.name === 'searching' ? undefined : hitList.selected(search);
	return [searchSummary(search), ...(here ? [here.key] : [])].join('   ');
}
