import {Box, Text} from 'ink';
import {type ReactElement, use, useEffect, useState} from 'react';
import {InputField} from '../../components/field.tsx';
import {headerRows} from '../../components/layout.ts';
import {PointerContext} from '../../components/pointer.ts';
import {useTheme} from '../../components/theme.ts';
import {maxAttempts} from '../../service/retries.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {getBufferText, type TextBuffer} from '../../text/buffer/buffer.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle} from '../../text/cut.ts';
import {formatInteger} from '../../text/figures.ts';
import {wrapText} from '../../text/wrap.ts';
import {type Message, minMessageMs} from '../messages/slice.ts';
import {listScreens} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';
import {useLedge} from './use-ledge.ts';
import {formatWaitEnd, type Wait, type Work} from './work-slice.ts';

const noWaits: readonly Wait[] = [];

type Tone = 'plain' | 'now' | 'warning' | 'failed';

/** The status line, without colours. */
type Status = {
	readonly tone: Tone;
	readonly text: string;
	/** Text after `text`, never cut. The part that changes each second is last, so the rest is not redrawn. */
	readonly tail?: string | undefined;
};

/** Milliseconds below which a wait is not shown, to avoid flicker. */
const minStatusWaitMs = 120;

/**
 * Builds the status line: a new message, a wait of the client, work under way, an older message, or the
 * status of the screen. A write that waits for a confirmation is not shown. With `showsReadProgress` the
 * screen's status replaces the label of a read. `failureKey` explains a failure now. `selectedCount` is shown
 * beside a message, which hides it in the screen's status.
 */
export function buildStatus(
	state: StateWith<'work', 'list' | 'waits'> &
		StateWith<'messages', 'latest'> &
		Partial<StateWith<'dialog', 'current'>>,
	now: number,
	statusText: string,
	showsReadProgress = false,
	failureKey?: string,
	selectedCount = 0,
): Status {
	const {latest} = state.messages;
	if (latest && now - latest.shownAt < minMessageMs)
		return buildMessageStatus(latest, failureKey, selectedCount);
	const wait = state.work.waits.toSorted((one, other) => other.endsAt - one.endsAt)[0];
	const hasQuestion = state.dialog?.current?.kind === 'confirm';
	const work = state.work.list.findLast(
		one =>
			isWaitedFor(one) && !(hasQuestion && one.kind === 'write') && now - one.startedAt >= minStatusWaitMs,
	);
	if (wait) {
		const exitHint = work ? `${getExitHint(work)}   ` : '';
		// A second countdown would double the output on a slow line: the header has one. What the service
		// answered would be cut (activity has it).
		if (wait.isQuota)
			return {
				tone: 'warning',
				text: `The quota is used up until ${formatWaitEnd(wait.endsAt - now)}`,
				tail: getQuotaHint(work),
			};
		const nextStep =
			wait.attempt === undefined ? 'continues' : `retrying (${wait.attempt} of ${maxAttempts})`;
		const countdown = formatDuration(Math.max(0, wait.endsAt - now) / 1000);
		return {tone: 'warning', text: wait.why, tail: `${exitHint}${nextStep} in ${countdown}`};
	}
	if (work) {
		const seconds = (now - work.startedAt) / 1000;
		const time = seconds >= 1 ? `   ${formatDuration(Math.floor(seconds))}` : '';
		return {
			tone: 'now',
			text: showsReadProgress && work.kind === 'read' ? statusText : `${work.label}…`,
			tail: `${getExitHint(work)}${time}`,
		};
	}
	return latest ? buildMessageStatus(latest, failureKey, selectedCount) : {tone: 'plain', text: statusText};
}

function buildMessageStatus(
	{kind, text}: Message,
	failureKey: string | undefined,
	selectedCount: number,
): Status {
	const selectedText = `${formatInteger(selectedCount)} selected`;
	const parts = [
		...(selectedCount > 0 && !text.includes(selectedText) ? [selectedText] : []),
		...(kind === 'failed' && failureKey !== undefined ? [`${failureKey} why`] : []),
	];
	const tones = {failed: 'failed', warned: 'warning', said: 'plain'} as const;
	return {tone: tones[kind], text, ...(parts.length > 0 && {tail: parts.join('   ')})};
}

const isWaitedFor = ({kind}: Work): boolean => kind === 'read' || kind === 'write';

const getExitHint = ({kind}: Work): string => (kind === 'read' ? 'esc cancels' : 'it continues if you leave');

/** Fits beside the reason at 80 columns. */
const getQuotaHint = (work: Work | undefined): string =>
	work?.kind === 'write'
		? 'it continues, also if you leave'
		: `it continues by itself${work ? '; esc cancels' : ''}`;

/** Draws the status line; runs a clock only while something is under way. */
export function StatusLine({
	statusText,
	showsReadProgress,
	failureKey,
	columns,
	rows,
}: {
	readonly statusText: string;
	readonly showsReadProgress: boolean;
	readonly failureKey: string | undefined;
	/** Columns and rows of the screen. */
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const regions = use(PointerContext);
	const work = useLedge(state => state.work.list);
	const allWaits = useLedge(state => state.work.waits);
	const hasPausedJob = useLedge(state =>
		listScreens(state.navigation.screens).some(([, {job}]) => job?.getRow(state)?.isPaused === true),
	);
	// A paused job does not continue after its wait.
	const waits = hasPausedJob && !work.some(isWaitedFor) ? noWaits : allWaits;
	const message = useLedge(state => state.messages.latest);
	const dialog = useLedge(state => state.dialog.current);
	// The choices of a form may be anywhere in its body.
	const isForm = useLedge(state => state.navigation.screens[getCurrentScreen(state)].textInput !== undefined);
	const selectedCount = useLedge(
		state => state.navigation.screens[getCurrentScreen(state)].selection?.countSelected(state) ?? 0,
	);
	const now = useClock(work.some(isWaitedFor) || waits.length > 0, getMonotonicTime);
	const {dim, warning, danger, current, marks} = useTheme();
	const {tone, text, tail} = buildStatus(
		{work: {list: work, waits}, messages: {latest: message}, dialog: {current: dialog}},
		now,
		statusText,
		showsReadProgress,
		failureKey,
		selectedCount,
	);
	const looks = {plain: dim, now: current, warning, failed: danger};
	const mark = {plain: '', now: `${marks.now} `, warning: `${marks.warning} `, failed: `${marks.failed} `}[
		tone
	];
	const isOwnStatus = text === statusText;
	// Failures and reasons of waits end with what the service reported.
	const endsWithReason = tone === 'failed' || (tone === 'warning' && text !== message?.text);
	const currentRow = regions?.findCurrentRow();
	const freeRows = rows - statusRows - 1 - (currentRow ?? headerRows);
	const isBodyNeeded = dialog !== undefined || isForm;
	const hidesHints = !isBodyNeeded && freeRows <= 0;
	// The next key clears a message, but work and failures would hide the body of a form for long.
	const isBrief = text === message?.text && message.kind !== 'failed';
	const canCoverForm = !dialog && isBrief && currentRow !== undefined && freeRows > 0;
	const lines = layOutStatus(
		{text: toDrawable(text), tail},
		{
			columns: columns - 2 - measureColumns(mark),
			maxLines:
				isOwnStatus || (isBodyNeeded && !canCoverForm)
					? 1
					: isBodyNeeded || hidesHints
						? 2
						: Math.min(maxStatusLines, 1 + freeRows),
			shorten: isOwnStatus ? shortenStatus : endsWithReason ? cutMiddle : cutEnd,
		},
	);
	const indent = `\n ${' '.repeat(measureColumns(mark))}`;
	const line = <Text {...looks[tone]} wrap="truncate">{` ${mark}${lines.join(indent)}`}</Text>;
	if (lines.length === 1) return line;
	return (
		// Not a colour: fills the box with blanks, which hide what is behind it.
		<Box
			backgroundColor="none"
			width={columns}
			height={lines.length}
			flexShrink={0}
			marginTop={hidesHints ? 0 : 1 - lines.length}
		>
			{line}
		</Box>
	);
}

/** Rows of the status and the hints. */
const statusRows = 2;

/** Maximum lines of a message. */
const maxStatusLines = 3;

/**
 * Lays out a status in up to `maxLines` lines of `columns` columns, with the tail at the end of the last one.
 * `shorten` cuts what does not fit.
 */
export function layOutStatus(
	{text, tail}: Pick<Status, 'text' | 'tail'>,
	{
		columns,
		maxLines,
		shorten,
	}: {
		readonly columns: number;
		readonly maxLines: number;
		shorten(text: string, columns: number): string;
	},
): readonly string[] {
	const tailText = tail === undefined ? '' : `   ${tail}`;
	const lastColumns = columns - measureColumns(tailText);
	const textColumns = measureColumns(text);
	for (let room = Math.min(textColumns, maxLines * columns); room > lastColumns; room--) {
		const lines = wrapText(shorten(text, room), columns);
		if (lines.length <= maxLines && measureColumns(lines.at(-1) ?? '') <= lastColumns)
			return [...lines.slice(0, -1), `${lines.at(-1)}${tailText}`];
	}
	return [`${shorten(text, lastColumns)}${tailText}`];
}

/** Columns of the slash and the blanks around a filter and its counts. */
const filterMarginColumns = 7;

/** Minimum columns of a name or id that gives way to the other parts of a status. */
const minNameColumns = 11;

/**
 * Shortens the status of a screen, whose parts are separated by two or more blanks: cuts or drops the longest
 * name or id, because the same is in the list, so that the other parts stay whole. Else cuts the middle.
 */
export function shortenStatus(text: string, columns: number): string {
	const excess = measureColumns(text) - columns;
	if (excess <= 0) return text;
	const [name] = text
		.split(/ {2,}/)
		.filter(part => part !== '' && !part.includes(' '))
		.toSorted((one, other) => measureColumns(other) - measureColumns(one));
	if (name === undefined) return cutMiddle(text, columns);
	const nameColumns = measureColumns(name) - excess;
	if (nameColumns >= minNameColumns) return text.replace(name, () => cutMiddle(name, nameColumns));
	const rest = text.split(/( {2,})/);
	const index = rest.indexOf(name);
	rest.splice(Math.max(0, index - 1), 2);
	return shortenStatus(rest.join('').trim(), columns);
}

/** Draws the filter being typed. */
export function FilterLine({
	buffer,
	counts,
	columns,
}: {
	readonly buffer: TextBuffer;
	readonly counts: string;
	readonly columns: number;
}): ReactElement {
	const {current, dim} = useTheme();
	const freeColumns = columns - filterMarginColumns - measureColumns(getBufferText(buffer)) - 1;
	const shortCounts = shortenStatus(toDrawable(counts), Math.max(Math.floor(columns / 2), freeColumns));
	return (
		<Box height={1}>
			<Text {...current}> / </Text>
			<InputField buffer={buffer} columns={columns - filterMarginColumns - measureColumns(shortCounts)} />
			<Text {...dim}>{`   ${shortCounts}`}</Text>
		</Box>
	);
}

/** Returns the time of a monotonic clock in milliseconds, for work and messages. */
export const getMonotonicTime = (): number => performance.now();

/**
 * Returns the time of a clock in milliseconds; redraws each second while it runs, and soon after it starts.
 */
export function useClock(isRunning: boolean, clock: () => number = Date.now): number {
	const [now, setNow] = useState(clock);
	useEffect(() => {
		if (!isRunning) return;
		const tick = () => setNow(clock());
		const firstTick = setTimeout(tick, minStatusWaitMs);
		const timer = setInterval(tick, 1000);
		return () => {
			clearTimeout(firstTick);
			clearInterval(timer);
		};
	}, [isRunning, clock]);
	return isRunning ? Math.max(now, clock()) : now;
}
