import {Box, Text} from 'ink';
import {type ReactElement, useEffect, useState} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildFullDetailRows, splitOffMetadata, summarizeValue, type ValueSummary} from './about.ts';
import {AboutLine} from './about-line.tsx';
import type {KeyState} from './slice.ts';
import {ValueRows} from './value-rows.tsx';

/** Minimum rows of the screen to show more than the summary line above the value. */
const minRoomyRows = 20;

/** One key: what it is, and its value as tree, text, hex or image. */
export function Key(): ReactElement {
	const key = useLedge(state => state.key.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const fitText = useLedge(state => state.key.fitText);
	const {dim, warning, marks} = useTheme();
	const hasView = key?.view !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another width wraps the text again.
	useEffect(() => {
		if (hasView) fitText();
	}, [columns, hasView, fitText]);
	if (!key?.wholeKey || !key.view) return <KeyPlaceholder keyState={key} />;
	const {summary, detailRows} = buildKeyHead(
		key,
		summarizeValue(key.view, key.wholeKey, key.otherView?.derivation !== undefined),
		columns,
		rows,
		marks.dot,
	);
	const problems = [
		...(key.failure ? ['Refresh failed; this was loaded earlier.'] : []),
		...(key.decodingProblem === undefined ? [] : [key.decodingProblem]),
	];
	const gap = rows >= minRoomyRows ? 1 : 0;
	return (
		<>
			<AboutLine {...summary} columns={columns} />
			<List
				count={detailRows.length}
				cursor={0}
				hasCursor={false}
				height={detailRows.length}
				renderRow={index => <Text {...dim} wrap="truncate">{`   ${detailRows[index] ?? ''}`}</Text>}
			/>
			{problems.map(problem => (
				<Text
					key={problem}
					{...warning}
					wrap="truncate"
				>{`   ${cutEnd(`${marks.warning} ${problem}`, columns - 4)}`}</Text>
			))}
			<Box height={gap} />
			<ValueRows
				view={key.view}
				query={key.search?.query ?? ''}
				columns={columns}
				height={getBodyRows(rows) - 1 - detailRows.length - problems.length - gap}
				showsCursor
			/>
		</>
	);
}

/** Returns the summary line and the rows between it and the value. */
function buildKeyHead(
	{name, showsDetails}: KeyState,
	summary: ValueSummary,
	columns: number,
	rows: number,
	dot: string,
): {readonly summary: ValueSummary; readonly detailRows: readonly string[]} {
	if (showsDetails) {
		const detailRows = buildFullDetailRows(name, summary, columns - 6, Math.floor(getBodyRows(rows) / 2));
		return {summary: {...summary, metadata: undefined}, detailRows};
	}
	return rows < minRoomyRows
		? {summary, detailRows: []}
		: splitOffMetadata(summary, toEpochSeconds(Date.now()), columns - 4, dot);
}

/** Shows why a key has no value to show. */
function KeyPlaceholder({keyState: key}: {readonly keyState: KeyState | undefined}): ReactElement {
	switch (key?.reading) {
		case undefined:
			return <Empty />;
		case 'reading':
		case 'read':
			return <DelayedTitle text={`Loading ${toDrawable(key?.name ?? '')}`} />;
		case 'absent':
			return (
				<Empty
					title="This key no longer exists."
					next="It was deleted, or it has expired. ctrl-r checks again, esc goes back to the list"
				/>
			);
		case 'failed':
			return key?.failure ? <Empty failure={key.failure} /> : <Empty />;
	}
}

/** Milliseconds before a wait is announced, so that short waits do not flicker. */
const lateDelayMs = 120;

function DelayedTitle({text}: {readonly text: string}): ReactElement {
	const {columns} = useLedge(state => state.navigation.viewport);
	const [isLate, setLate] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setLate(true), lateDelayMs);
		return () => clearTimeout(timer);
	}, []);
	return <Empty title={isLate ? cutEnd(text, columns - 8) : ''} />;
}
