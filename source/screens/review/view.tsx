import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {ConfirmLine} from '../../components/confirm-line.tsx';
import {Choices} from '../../components/menu.tsx';
import {useTheme} from '../../components/theme.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {Empty} from '../shell/empty.tsx';
import {useClock} from '../shell/status.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {backLabels, getExpiryQuestion, getWriteToConfirm} from './choices.ts';
import {DifferenceRows} from './difference-view.tsx';
import {buildReviewParts} from './parts.ts';

/** The review: what will be written beside what is stored, and the choices. */
export function Review(): ReactElement {
	const review = useLedge(state => state.review.data);
	const viewport = useLedge(state => state.navigation.viewport);
	const {warning, danger, current, dim, marks} = useTheme();
	const app = useApp();
	const {finding, phase, overwrites} = review ?? {};
	useLayoutEffect(
		() => app.state().review.noticeDrawn([finding, phase, overwrites]),
		[app, finding, phase, overwrites],
	);
	// A question about the expiry shows the remaining time, which counts down.
	useClock(review !== undefined && getExpiryQuestion(review, toEpochSeconds(Date.now())) !== undefined);
	if (!review) return <Empty title="Nothing to review." next="esc goes back" />;
	const {
		tone,
		scrolledLines,
		heading,
		notes,
		layout,
		placeholderLines,
		sideBySide,
		visibleRows,
		lastTop,
		facts,
		choices,
		visibleChoices,
		gap,
	} = buildReviewParts(review, viewport, Date.now(), marks);
	const confirmation = getWriteToConfirm(choices);
	const hasForeignChange = finding?.check.type === 'changed' || finding?.check.type === 'appeared';
	const looks = {plain: {}, warning, failed: danger, now: current};
	const mark = {plain: '', warning: `${marks.warning} `, failed: `${marks.failed} `, now: `${marks.now} `}[
		tone
	];
	const top = Math.min(review.top, lastTop);
	const visibleLines = scrolledLines.slice(top, top + visibleRows);
	const differenceRows = visibleRows - visibleLines.length;
	const differenceTop = Math.max(0, top - scrolledLines.length);
	return (
		<Box flexDirection="column" height={viewport.rows - 4} overflow="hidden">
			{heading.length > 0 && (
				<Text {...looks[tone]} wrap="truncate">
					{heading.map((line, index) => ` ${index === 0 ? mark || '  ' : '  '}${line}`).join('\n')}
				</Text>
			)}
			{visibleLines.length > 0 && (
				<Text {...looks[tone]} wrap="truncate">
					{visibleLines.map((line, index) => ` ${index + top === 0 ? mark || '  ' : '  '}${line}`).join('\n')}
				</Text>
			)}
			{notes.length > 0 && <Text wrap="truncate">{notes.map(line => `   ${line}`).join('\n')}</Text>}
			<Box height={gap} flexShrink={0} />
			{layout ? (
				<DifferenceRows
					layout={layout}
					top={differenceTop}
					visibleRows={differenceRows}
					columns={viewport.columns}
					sideBySide={sideBySide}
					titles={
						hasForeignChange
							? ['stored now', review.proposal.origin === 'undo' ? 'restored' : 'yours']
							: ['before', 'after']
					}
				/>
			) : (
				<Box height={differenceRows} flexShrink={0} flexDirection="column" overflow="hidden">
					<Text wrap="truncate">
						{placeholderLines
							.slice(differenceTop, differenceTop + differenceRows)
							.map(line => `   ${line}`)
							.join('\n')}
					</Text>
				</Box>
			)}
			<Box height={gap} flexShrink={0} />
			{facts.length > 0 && (
				<Text {...dim} wrap="truncate">
					{facts.map(line => `   ${line}`).join('\n')}
				</Text>
			)}
			<Box height={gap} flexShrink={0} />
			{confirmation ? (
				<Box paddingLeft={3} flexShrink={0}>
					<ConfirmLine
						actionLabel={scrolledLines.length > 0 && top < lastTop ? 'read on' : confirmation.label}
						escLabel={backLabels[review.proposal.origin].toLowerCase()}
					/>
				</Box>
			) : choices.length === 0 ? (
				<Text> </Text>
			) : (
				<Box paddingLeft={1} paddingRight={2} flexShrink={0} flexDirection="column">
					<Choices
						choices={choices}
						limit={visibleChoices}
						cursor={review.cursor}
						onPoint={index => app.state().review.setCursor(index)}
						onChoose={choice => void app.state().review.decide(choice)}
					/>
				</Box>
			)}
		</Box>
	);
}

/** Status line: says that nothing has been sent, or that the outcome is unknown. */
export function formatReviewStatus({review: {data: review}}: StateWith<'review'>): string {
	if (!review) return '';
	const {phase, unknownOutcome} = review;
	if (phase === 'writing') return '';
	return unknownOutcome ? 'outcome unknown: it may have taken effect' : 'nothing has been sent';
}
