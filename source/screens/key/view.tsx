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

/** Minimum rows of the screen for anything beside the value. */
const minRoomyRows = 20;

/** One key: what it is, and its value as tree, text or hex. */
export function Key(): ReactElement {
	const key = useLedge(state => state.key.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const fitText = useLedge(state => state.key.fitText);
	const {dim, warning, marks} = useTheme();
	const isRead = key?.view !== undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another width wraps the text again.
	useEffect(() => {
		if (isRead) fitText();
	}, [columns, isRead, fitText]);
	if (!key?.whole || !key.view) return <Instead of={key} />;
	const {about, below} = buildKeyHead(key, summarizeValue(key.view, key.whole), columns, rows, marks.dot);
	const isOld = key.failure !== undefined;
	const gap = rows >= minRoomyRows ? 1 : 0;
	return (
		<>
			<AboutLine {...about} columns={columns} />
			<List
				count={below.length}
				cursor={0}
				height={below.length}
				renderRow={index => <Text {...dim} wrap="truncate">{`   ${below[index] ?? ''}`}</Text>}
			/>
			{isOld && (
				<Text
					{...warning}
					wrap="truncate"
				>{`   ${cutEnd(`${marks.warning} This was read before; reading it again failed.`, columns - 4)}`}</Text>
			)}
			<Box height={gap} />
			<ValueRows
				view={key.view}
				query={key.search?.query ?? ''}
				columns={columns}
				height={getBodyRows(rows) - 1 - below.length - (isOld ? 1 : 0) - gap}
				cursor
			/>
		</>
	);
}

/** Returns the summary line and the rows between it and the value. */
function buildKeyHead(
	{name, inFull}: KeyState,
	about: ValueSummary,
	columns: number,
	rows: number,
	dot: string,
): {readonly about: ValueSummary; readonly below: readonly string[]} {
	if (inFull) {
		const below = buildFullDetailRows(name, about, columns - 6, Math.floor(getBodyRows(rows) / 2));
		return {about: {...about, metadata: undefined}, below};
	}
	return rows < minRoomyRows
		? {about, below: []}
		: splitOffMetadata(about, toEpochSeconds(Date.now()), columns - 4, dot);
}

/** Replaces a value that cannot be shown. */
function Instead({of: key}: {readonly of: KeyState | undefined}): ReactElement {
	switch (key?.reading) {
		case undefined:
			return <Empty />;
		case 'reading':
		case 'read':
			return <Late text={`Reading ${toDrawable(key?.name ?? '')}`} />;
		case 'absent':
			return (
				<Empty
					title="This key no longer exists."
					next="It was deleted, or it has expired. ctrl-r looks again, esc goes back to the list"
				/>
			);
		case 'failed':
			return key?.failure ? <Empty failure={key.failure} /> : <Empty />;
	}
}

/** Short waits do not flicker. */
const lateDelayMs = 120;

function Late({text}: {readonly text: string}): ReactElement {
	const {columns} = useLedge(state => state.navigation.viewport);
	const [isLate, setLate] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setLate(true), lateDelayMs);
		return () => clearTimeout(timer);
	}, []);
	return <Empty title={isLate ? cutEnd(text, columns - 8) : ''} />;
}
