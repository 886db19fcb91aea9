import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {describeLongWork} from '../../kv/long-work.ts';
import type {Hit} from '../../kv/transfer/search.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatKeySubset} from '../keys/chosen-keys.ts';
import {keyNarrowingAdvice} from '../keys/work-time.ts';
import {RowLine} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildHitRow, formatHitTitles, formatSearchSummary} from './rows.ts';
import {getSearchWork, hitList, type SearchState} from './state.ts';

/** The Search screen: hits appear as they are found. */
export function Search(): ReactElement {
	const search = useLedge(state => state.search.data);
	const keys = useLedge(state => state.keys.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim} = useTheme();
	if (!search)
		return (
			<Empty
				title="No search yet."
				next={`Press ${nameKey('keys.search-values', 'f')} in the key list of a namespace to search the values.`}
			/>
		);
	const {cursor} = search;
	const visibleHits = hitList.listVisible(search);
	const isSelected = (hit: Hit | undefined): boolean => {
		if (!hit || keys?.namespace.name !== search.request.namespace.name) return false;
		const {position, isFound} = keys.index.find(hit.key);
		return isFound && keys.index.isSelected(position);
	};
	if (visibleHits.length === 0) return <Empty {...describeEmptySearch(search)} />;
	return (
		<>
			<Text {...dim} wrap="truncate">
				{formatHitTitles(search, columns)}
			</Text>
			<List
				count={visibleHits.length}
				cursor={cursor}
				height={getBodyRows(rows) - 1}
				renderRow={(index, isCurrent) => (
					<HitLine
						hit={visibleHits[index]}
						columns={columns}
						isCurrent={isCurrent}
						isSelected={isSelected(visibleHits[index])}
						isChanged={search.changedKeys?.has(visibleHits[index]?.key ?? '') === true}
					/>
				)}
			/>
		</>
	);
}

const HitLine = memo(
	({
		hit,
		columns,
		isCurrent,
		isSelected,
		isChanged,
	}: {
		readonly hit: Hit | undefined;
		readonly columns: number;
		readonly isCurrent: boolean;
		readonly isSelected: boolean;
		readonly isChanged: boolean;
	}): ReactElement => {
		const {marks} = useTheme();
		return (
			<RowLine
				row={
					hit
						? buildHitRow(hit, columns, isCurrent, {
								cursorMark: marks.current,
								isChanged,
								...(isSelected && {selectionMark: marks.selected}),
							})
						: []
				}
				isCurrent={isCurrent}
			/>
		);
	},
);

/** Describes why there is no row; during a search, the status line shows the progress. */
function describeEmptySearch(search: SearchState): Parameters<typeof Empty>[0] {
	const {phase, request, filter, searched} = search;
	if (filter !== '') return {title: `No matches for "${toDrawable(filter)}".`, next: 'esc clears the filter'};
	const subset = formatKeySubset(request.keys);
	switch (phase.name) {
		case 'searching': {
			const text = describeLongWork(getSearchWork(search), searched, request.total);
			return text === undefined ? {title: ''} : {title: text, next: keyNarrowingAdvice[request.keys.kind]};
		}
		case 'done':
			return {
				title: `No value contains "${toDrawable(request.pattern)}".`,
				next: `${subset === undefined ? '' : `Only ${toDrawable(subset)} were searched. `}${nameKey('search.again', 'f')} searches for another text`,
			};
		case 'stopped':
			return {
				title: 'Stopped before anything was found.',
				next: `${nameKey('search.continue', 'ctrl-l')} continues, ${nameKey('reload', 'ctrl-r')} starts over`,
			};
		case 'failed':
			return {
				failure: phase.failure,
				next: `${nameKey('search.continue', 'ctrl-l')} continues where it stopped`,
			};
		default:
			return phase satisfies never;
	}
}

/** Status line: hits and progress; afterwards also the full key under the cursor. */
export function formatSearchStatus({search: {data: search}}: StateWith<'search'>): string {
	if (!search) return '';
	const selectedHit = search.phase.name === 'searching' ? undefined : hitList.getSelected(search);
	return [
		...(selectedHit && search.changedKeys?.has(selectedHit.key)
			? [`changed since the search: ${nameKey('reload', 'ctrl-r')} searches again`]
			: []),
		formatSearchSummary(search),
		...(selectedHit ? [selectedHit.key] : []),
	].join('   ');
}
