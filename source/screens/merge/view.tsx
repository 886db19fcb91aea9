import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect, useMemo} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import type {MergedRule} from '../../firewall/export/merge.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatOneLine} from '../../text/one-line.ts';
import {getStaleWarning} from '../list/reading.ts';
import {type Column, Table} from '../list/table.tsx';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {computeNoteRows, getMergeColumns} from './actions.ts';
import {buildMergeNoteRows, buildMergeReviewRows} from './rows.ts';
import {getMergeObstacle, getReadyMerge, type MergeState} from './state.ts';

const mergeColumns: readonly Column<MergedRule>[] = [
	{
		title: '',
		isEssential: true,
		getWidth: () => 3,
		getText: ({isNew}) => (isNew ? 'new' : ''),
		getLook: (_row, {good}) => good,
	},
	{
		title: '#',
		isEssential: true,
		getWidth: () => 4,
		align: 'right',
		getText: ({position}) => formatInteger(position),
	},
	{
		title: 'ACTION',
		isEssential: true,
		getWidth: columns => (columns >= 100 ? 28 : 18),
		gap: 2,
		getText: ({rule}) => formatCustomRuleAction(rule),
	},
	{
		title: 'DESCRIPTION, EXPRESSION',
		gap: 2,
		getText: ({rule: {enabled, description, expression}}, {marks}) =>
			[...(enabled === false ? ['paused'] : []), description, expression]
				.filter(Boolean)
				.map(text => formatOneLine(text ?? '', 400))
				.join(` ${marks.dot} `),
		getLook: ({isNew, rule}) => (isNew && rule.enabled !== false ? {} : 'dim'),
	},
];

/** The merged custom rules of a zone with notes, or a review. */
export function Merge(): ReactElement {
	const merge = useLedge(state => state.merge.data);
	const customRules = useLedge(state => state.customRules.data);
	const connection = useLedge(state => state.connection.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const readyMerge = getReadyMerge({merge: {data: merge}, customRules: {data: customRules}});
	const width = getMergeColumns(columns);
	const app = useApp();
	useLayoutEffect(() => app.state().merge.noticeDrawn(), [app]);
	const detailRows = useMemo(
		() =>
			(merge?.step === 'rules' ? buildMergeNoteRows : buildMergeReviewRows)(
				{merge: {data: merge}, customRules: {data: customRules}, connection: {data: connection}},
				width,
				marks,
			),
		[merge, customRules, connection, width, marks],
	);
	if (!merge) return <Empty title="No zone is open." next="esc goes back" />;
	if (!readyMerge) return <NotReady merge={merge} />;
	if (merge.step !== 'rules')
		return <ScrolledRows rows={detailRows} top={merge.top} height={getBodyRows(rows)} hint=": space" />;
	if (readyMerge.rows.length === 0)
		return (
			<Empty
				title={`${merge.zone.name} has neither firewall rules nor custom rules.`}
				next={`${nameKey('merge.file', 'o')} loads an export file`}
			/>
		);
	const noteRows = computeNoteRows(rows);
	const rowsBelow = noteRows === 0 ? 0 : noteRows + 1;
	return (
		<>
			<Box flexDirection="column" height={getBodyRows(rows) - rowsBelow} flexShrink={0}>
				<Table columns={mergeColumns} rows={readyMerge.rows} cursor={merge.cursor} rowsBelow={rowsBelow} />
			</Box>
			{noteRows > 0 && (
				<>
					<Text {...dim} wrap="truncate">
						{`   ${marks.line.repeat(Math.max(0, columns - 6))}`}
					</Text>
					<ScrolledRows rows={detailRows} top={merge.top} height={noteRows} hint=": space" />
				</>
			)}
		</>
	);
}

/** Placeholder while one side is not known. */
function NotReady({merge}: {readonly merge: MergeState}): ReactElement {
	const {failure} = merge;
	if (!failure) return <Empty isUnread />;
	if (failure.code === 'gone')
		return (
			<Empty
				title="The service has retired firewall rules here."
				next={`${nameKey('merge.file', 'o')} creates custom rules from an export file`}
			/>
		);
	return <Empty failure={failure} />;
}

/** Formats how many rules will be created, or why nothing can be sent. */
export function formatMergeStatus(state: StateWith<'merge' | 'customRules'>): string {
	const merge = state.merge.data;
	const customRules = state.customRules.data;
	const readyMerge = getReadyMerge(state);
	if (!merge || !readyMerge) return '';
	if (merge.step === 'deletion') {
		const {deletedCount, deletion} = merge;
		return deletedCount === undefined
			? 'nothing has been sent'
			: `${formatInteger(deletedCount)} of ${formatQuantity(deletion?.deletionPlans.length ?? 0, 'firewall rule')} deleted`;
	}
	const obstacle = getMergeObstacle(state);
	return [
		...(customRules ? getStaleWarning(customRules) : []),
		(obstacle && toDrawable(obstacle)) ??
			`${formatQuantity(readyMerge.result.addedRules.length, 'custom rule')} to create, nothing has been sent`,
	].join('   ');
}
