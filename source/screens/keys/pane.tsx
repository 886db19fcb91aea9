import {Box, Text} from 'ink';
import {memo, type ReactElement, useEffect} from 'react';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle} from '../../text/cut.ts';
import {splitOffMetadata, summarizeValue} from '../key/about.ts';
import {AboutLine} from '../key/about-line.tsx';
import {ValueRows} from '../key/value-rows.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {getCurrentKeyName} from './cursor-row.ts';
import type {PeekState} from './peek-slice.ts';

/** Minimum columns to show the key under the cursor beside the list. */
const minTwoPaneColumns = 140;

/** Returns the columns of the list and of the pane beside it. Without a pane,
 * `paneColumns` is 0: on narrow terminals, and if the list is to be `isAlone`, as for screen readers. */
export function computePaneColumns(
	columns: number,
	isAlone = false,
): {readonly listColumns: number; readonly paneColumns: number} {
	const listColumns = columns >= minTwoPaneColumns && !isAlone ? Math.ceil(columns / 2) : columns;
	return {listColumns, paneColumns: columns - listColumns};
}

/**
 * The key under the cursor, right of a line: size, expiry, metadata and the first rows of the value. It renders when another
 * key has been read, and not on each cursor move.
 */
export const KeyPane = memo(
	({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement => {
		const peek = useLedge(state => state.peek.data);
		const revision = useLedge(state => state.peek.revision);
		const {marks, border} = useTheme();
		return (
			<Box
				flexDirection="column"
				width={columns}
				height={rows}
				overflow="hidden"
				borderStyle={marks.line === '-' ? 'classic' : 'single'}
				borderTop={false}
				borderRight={false}
				borderBottom={false}
				{...(border.color === undefined ? {borderDimColor: true} : {borderColor: border.color})}
			>
				<PeekLoader key={revision} />
				{peek && <Peek peek={peek} columns={columns - 1} rows={rows} />}
			</Box>
		);
	},
);

/** Reads the key under the cursor. A cursor move cancels the read. */
function PeekLoader(): null {
	const app = useApp();
	const name = useLedge(({keys: {data: keys}}) => keys && getCurrentKeyName(keys));
	const opened = useLedge(({keys: {data: keys}}) => keys?.opened);
	useEffect(() => {
		const controller = new AbortController();
		if (opened) void app.state().peek.show(name, opened, controller.signal);
		return () => controller.abort();
	}, [app, name, opened]);
	return null;
}

type PeekProps = {readonly peek: PeekState; readonly columns: number; readonly rows: number};

function Peek({peek, columns, rows}: PeekProps): ReactElement {
	const {current} = useTheme();
	return (
		<>
			<Text {...current} wrap="truncate">
				{`   ${cutMiddle(toDrawable(peek.name), columns - 4)}`}
			</Text>
			<PeekContent peek={peek} columns={columns} rows={rows - 1} />
		</>
	);
}

function PeekContent({peek, columns, rows}: PeekProps): ReactElement {
	const {dim, warning, marks} = useTheme();
	switch (peek.reading) {
		case 'reading':
		case 'absent':
			return <PaneMessage texts={[placeholders[peek.reading]]} columns={columns} rows={rows} />;
		case 'failed': {
			const {message, next, details} = peek.failure;
			const texts = [`${marks.failed} ${message}`, details.why, next];
			return <PaneMessage texts={texts} columns={columns} rows={rows} />;
		}
		case 'read': {
			const now = toEpochSeconds(Date.now());
			const fullSummary = summarizeValue(peek.view, peek.wholeKey);
			const {summary, detailRows} = splitOffMetadata(fullSummary, now, columns - 4, marks.dot);
			const {decodingProblem} = peek;
			const height = rows - 2 - detailRows.length - (decodingProblem === undefined ? 0 : 1);
			return (
				<>
					<AboutLine {...summary} columns={columns} />
					{detailRows.map(row => (
						<Text key={row} {...dim} wrap="truncate">{`   ${row}`}</Text>
					))}
					{decodingProblem !== undefined && (
						<Text {...warning} wrap="truncate">
							{`   ${cutEnd(`${marks.warning} ${decodingProblem}`, columns - 4)}`}
						</Text>
					)}
					<Box height={1} />
					<ValueRows view={peek.view} query="" columns={columns} height={height} showsCursor={false} />
				</>
			);
		}
	}
}

const placeholders = {reading: 'Loading', absent: 'This key no longer exists.'} as const;

function PaneMessage({
	texts,
	columns,
	rows,
}: {
	readonly texts: readonly (string | undefined)[];
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	return (
		<Box paddingLeft={3}>
			<Lines lines={wrapParagraphs(texts, columns - 5)} rows={rows} />
		</Box>
	);
}
