import {Box, Text} from 'ink';
import {memo, type ReactElement, useEffect} from 'react';
import {Lines} from '../../components/lines.tsx';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {unixSeconds} from '../../kv/limits.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {aboutOf, withMetadataBelow} from '../key/about.ts';
import {AboutLine} from '../key/about-line.tsx';
import {ValueRows} from '../key/value-rows.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {keyNameHere} from './here.ts';
import type {PeekState} from './peek-slice.ts';

/** Minimum columns to show the key under the cursor beside the list. */
const twoPanes = 140;

/** Returns the columns of the list and of the pane beside it; 0 without a pane. */
export function paneColumns(
	columns: number,
	isSpoken = false,
): {readonly list: number; readonly pane: number} {
	// Screen readers get no pane.
	const list = columns >= twoPanes && !isSpoken ? Math.ceil(columns / 2) : columns;
	return {list, pane: columns - list};
}

/**
 * The key under the cursor: size, expiry, metadata, first rows of the value. Renders when another key has
 * been read, not on each cursor move.
 */
export const KeyPane = memo(
	({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement => {
		const peek = useLedge(state => state.peek.data);
		const revision = useLedge(state => state.peek.revision);
		return (
			<Box flexDirection="column" width={columns} height={rows} overflow="hidden">
				<RestingCursor key={revision} />
				{peek && <Peek peek={peek} columns={columns} rows={rows} />}
			</Box>
		);
	},
);

/** Reads the key under the cursor; a move cancels that. */
function RestingCursor(): null {
	const app = useApp();
	const name = useLedge(({keys: {data: keys}}) => keys && keyNameHere(keys));
	const opened = useLedge(({keys: {data: keys}}) => keys?.opened);
	useEffect(() => {
		const resting = new AbortController();
		if (opened) void app.state().peek.show(name, opened, resting.signal);
		return () => resting.abort();
	}, [app, name, opened]);
	return null;
}

type PeekProps = {readonly peek: PeekState; readonly columns: number; readonly rows: number};

function Peek({peek, columns, rows}: PeekProps): ReactElement {
	const {here} = useTheme();
	return (
		<>
			<Text {...here} wrap="truncate">
				{`   ${cutMiddle(drawable(peek.name), columns - 4)}`}
			</Text>
			<Peeked peek={peek} columns={columns} rows={rows - 1} />
		</>
	);
}

function Peeked({peek, columns, rows}: PeekProps): ReactElement {
	const {dim, marks} = useTheme();
	switch (peek.reading) {
		case 'reading':
		case 'absent':
			return <Instead texts={[insteadOf[peek.reading]]} columns={columns} rows={rows} />;
		case 'failed': {
			const {message, next, details} = peek.failure;
			const texts = [`${marks.failed} ${message}`, details.why, next];
			return <Instead texts={texts} columns={columns} rows={rows} />;
		}
		case 'read': {
			const now = unixSeconds(Date.now());
			const whole = aboutOf(peek.view, peek.whole);
			const {about, below} = withMetadataBelow(whole, now, columns - 4, marks.dot);
			const height = rows - 2 - below.length;
			return (
				<>
					<AboutLine {...about} columns={columns} />
					{below.map(row => (
						<Text key={row} {...dim} wrap="truncate">{`   ${row}`}</Text>
					))}
					<Box height={1} />
					<ValueRows view={peek.view} query="" columns={columns} height={height} cursor={false} />
				</>
			);
		}
	}
}

const insteadOf = {reading: 'Reading', absent: 'This key no longer exists.'} as const;

function Instead({
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
			<Lines lines={linesOf(texts, columns - 5)} rows={rows} />
		</Box>
	);
}
