import {getBodyRows} from '../../components/layout.ts';
import {getTheme, type Marks} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {describeConfigurationFinding, findProposalBlocker} from '../../managed/proposal.ts';
import {
	type ConfigurationDifference,
	compareConfigurations,
} from '../../migration/configuration/difference.ts';
import {collectManagedRuleNames, describeEdit} from '../../migration/configuration/difference-words.ts';
import {describeRise} from '../../migration/validation/words.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getStaleWarning, hasLoaded} from '../list/reading.ts';
import {buildEditorBody} from '../managed-edit/rows.ts';
import {buildDifferenceRows} from '../managed-edit/table.ts';
import {type Body, buildFailureRows, getSideArea, type LayoutArea} from '../rows/body.ts';
import {buildMarkedRows, buildTextRows, joinWithBlankRows, type Row} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {buildRequestRows} from '../write-flow/requests.ts';
import {buildManagedRequests, listNotDeployed, type ManagedState} from './state.ts';

/** The layout: the scrolled body, the fixed rows below it, and the side pane. */
type ManagedLayout = {
	readonly body: ReviewBody;
	/** Height of the scrolled body, in rows. */
	readonly bodyHeight: number;
	/** Height of the scrolled body and the fixed rows together, and of the side pane, in rows. */
	readonly totalHeight: number;
	readonly tail: readonly Row[];
	/** Columns of the side pane; undefined if there is no room for it. */
	readonly sideColumns: number | undefined;
};

/** A body, and the row of the review where the request begins. */
type ReviewBody = Body & {readonly requestTop?: number};

/** Columns before and after the text. */
const margin = 3;
/** Minimum rows of the scrolled body. */
const minHeight = 3;

/** Computes the layout for a viewport; undefined if nothing was read. */
export function computeManagedLayout(
	managed: ManagedState,
	{columns, rows: screenRows}: Viewport,
	marks: Marks,
	connection?: Connection,
): ManagedLayout | undefined {
	if (!managed.activeRules) return undefined;
	const totalHeight = getBodyRows(screenRows);
	const room = columns - 2 * margin;
	const isReview = managed.step === 'review';
	const sideColumns = columns < 120 || isReview ? undefined : Math.floor(room * 0.42);
	const area: LayoutArea = {
		columns: room - (sideColumns === undefined ? 0 : sideColumns + margin),
		side: sideColumns,
		rows: totalHeight,
		marks,
		now: 0,
	};
	const body = isReview ? buildReviewBody(managed, area, connection) : buildRulesBody(managed, area);
	const tail = sideColumns === undefined ? body.tail.slice(0, Math.max(0, totalHeight - minHeight)) : [];
	return {body, bodyHeight: totalHeight - tail.length, totalHeight, tail, sideColumns};
}

const {marks: plainMarks} = getTheme('none', true);

type Extent = {
	readonly lastTop: number;
	readonly visibleRows: number;
	readonly requestTop?: number | undefined;
};

/** Cached, because every hint in the last line asks for it. */
const extents = new WeakMap<ManagedState, Extent & {readonly viewport: Viewport}>();

/** Returns the maximum scroll offset of the review or the details, the visible rows, and where the request begins. */
export function getManagedExtent({
	managed: {data: managed},
	connection: {data: connection},
	navigation: {viewport},
}: StateWith<'managed' | 'connection'> & StateWith<'navigation', 'viewport'>): Extent {
	if (!managed) return {lastTop: 0, visibleRows: 1};
	const cached = extents.get(managed);
	if (cached?.viewport === viewport) return cached;
	const measured = {
		...measureExtent(computeManagedLayout(managed, viewport, plainMarks, connection)),
		viewport,
	};
	extents.set(managed, measured);
	return measured;
}

function measureExtent(layout: ManagedLayout | undefined): Extent {
	if (!layout) return {lastTop: 0, visibleRows: 1};
	const {body, bodyHeight, totalHeight, sideColumns} = layout;
	if (!body.cursorRows)
		return {
			lastTop: Math.max(0, body.rows.length - bodyHeight),
			visibleRows: bodyHeight,
			requestTop: body.requestTop,
		};
	const hiddenRows =
		sideColumns === undefined ? (body.maxScrollBelowList ?? 0) : (body.side?.length ?? 0) - totalHeight;
	return {lastTop: Math.max(0, hiddenRows), visibleRows: bodyHeight};
}

/** Builds the edited rules, and the details of the one under the cursor. */
function buildRulesBody(managed: ManagedState, area: LayoutArea): Body {
	const {activeRules, configuration, proposal, cursor, top} = managed;
	return buildEditorBody(
		{
			configuration,
			catalogue: activeRules?.catalogue,
			cursor,
			top,
			// All of them are about the unsent changes.
			findings: (proposal?.findings ?? []).map(finding =>
				finding.severity === 'warning' ? {...finding, sentence: `Once sent: ${finding.sentence}`} : finding,
			),
			head: buildHeadRows(managed, area),
			foot: buildNotDeployedRows(managed, area),
			summary: buildSummaryRows(managed, getSideArea(area)),
			differences: [
				...buildOthersChangeRows(managed, getSideArea(area)),
				...buildOwnChangeRows(managed, getSideArea(area)),
			],
		},
		area,
	);
}

/** Builds warnings above the rules: why nothing can be changed, and what could not be read. */
function buildHeadRows(managed: ManagedState, area: LayoutArea): Row[] {
	const {columns, marks} = area;
	const {activeRules, configuration} = managed;
	const {readOnlyReason, catalogueFailure} = activeRules ?? {};
	return joinWithBlankRows(
		managed.rise ? buildMarkedRows(marks.warning, describeRise(managed.rise), columns, 'warning') : [],
		readOnlyReason
			? buildMarkedRows(
					marks.warning,
					`Read-only: ${readOnlyReason.message} ${readOnlyReason.details.why ?? ''}`,
					columns,
					'warning',
				)
			: [],
		catalogueFailure
			? buildMarkedRows(
					marks.warning,
					`The managed rulesets could not be read (${catalogueFailure.message}): only the service checks the ids.`,
					columns,
					'warning',
				)
			: [],
		configuration.rules.length === 0 ? buildTextRows(describeNoRules(managed), columns) : [],
	);
}

/** Says that no new managed rules are active, and where the previous ones are if the zone still has them. */
const describeNoRules = ({zone, activeRules}: ManagedState): string =>
	activeRules?.stage === 'previous' && zone.plan !== 'free'
		? `None of the new managed rules are active. The zone still has the previous ones: ${nameKey('go.migration', '5')} opens the migration, which replaces them.`
		: 'No managed rules are active.';

/** Builds the list of managed rulesets that the zone could deploy. */
function buildNotDeployedRows(managed: ManagedState, {columns}: LayoutArea): Row[] {
	const deployableRulesets = listNotDeployed(managed);
	if (deployableRulesets.length === 0) return [];
	const names = deployableRulesets.map(({name}) => toDrawable(name)).join(', ');
	return buildTextRows(
		`  Not deployed: ${names}${managed.activeRules?.readOnlyReason ? '' : ` (${nameKey('managed.deploy', 'D')} deploys one)`}`,
		columns,
		'dim',
		2,
	);
}

/** Lists the unsent differences; overrides are named by their rules. */
const listOwnChanges = ({activeRules, proposal}: ManagedState): readonly ConfigurationDifference[] =>
	activeRules && proposal
		? compareConfigurations(activeRules.configuration, proposal.newConfiguration, {
				ruleNames: collectManagedRuleNames(activeRules.catalogue),
			})
		: [];

const buildOwnChangeRows = (managed: ManagedState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows('Your unsent changes', ['current', 'after'], listOwnChanges(managed), columns, marks);

/** Finds what others changed since the first unsent change. */
const findOthersChanges = ({editedFrom, activeRules}: ManagedState): readonly ConfigurationDifference[] =>
	editedFrom && activeRules
		? compareConfigurations(editedFrom, activeRules.configuration, {
				ruleNames: collectManagedRuleNames(activeRules.catalogue),
			})
		: [];

const buildOthersChangeRows = (managed: ManagedState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows('Changed by others', ['before', 'current'], findOthersChanges(managed), columns, marks);

/** Builds the number of changes, and the last one. */
function buildSummaryRows(managed: ManagedState, {columns}: LayoutArea): Row[] {
	const {edits, activeRules} = managed;
	const lastEdit = edits.at(-1);
	if (activeRules?.readOnlyReason) return [];
	const othersCount = findOthersChanges(managed).length;
	const othersNote =
		othersCount === 0 ? '' : `Changed by others: ${formatQuantity(othersCount, 'difference')}. `;
	return lastEdit
		? buildTextRows(
				`${othersNote}${formatQuantity(edits.length, 'unsent change')}; last: ${describeEdit(lastEdit.edit, lastEdit.before, activeRules?.catalogue)}`,
				columns,
			)
		: buildTextRows(`${othersNote}No unsent changes.`, columns, 'dim');
}

/** Builds the review shown before sending. */
function buildReviewBody(
	managed: ManagedState,
	area: LayoutArea,
	connection: Connection | undefined,
): ReviewBody {
	const {columns, marks} = area;
	const {activeRules, proposal, obstacle} = managed;
	if (!activeRules || !proposal) return {rows: [], tail: []};
	const blocker = findProposalBlocker(activeRules, proposal);
	const requestRows = buildRequestRows(
		{
			requests: buildManagedRequests(managed),
			shows: managed.shows,
			obstacle: blocker?.message,
		},
		connection,
		columns,
	);
	const rows = joinWithBlankRows(
		buildFailureRows(obstacle, area),
		[
			...[...proposal.reductions, ...proposal.weakenedRules].flatMap(text =>
				buildMarkedRows(marks.warning, text, columns, 'danger'),
			),
			...proposal.findings.flatMap(finding =>
				buildMarkedRows(
					finding.severity === 'error' ? marks.failed : marks.warning,
					describeConfigurationFinding(finding),
					columns,
					finding.severity === 'error' ? 'danger' : 'warning',
				),
			),
			...(blocker
				? buildTextRows('This cannot be sent: esc goes back to the rules.', columns, 'danger')
				: []),
		],
		buildOthersChangeRows(managed, area),
		buildDifferenceRows('Your unsent changes', ['current', 'after'], listOwnChanges(managed), columns, marks),
		requestRows,
	);
	return {rows, tail: [], requestTop: rows.length - requestRows.length};
}

/** Formats the unsent changes, or else the active version. */
export function formatManagedStatus({managed: {data: managed}}: StateWith<'managed'>): string {
	if (!managed || !hasLoaded(managed)) return '';
	const {edits, activeRules} = managed;
	const version = activeRules?.ruleset?.version;
	return [
		...getStaleWarning(managed),
		edits.length > 0
			? formatQuantity(edits.length, 'unsent change')
			: version === undefined
				? 'no active managed rules'
				: `version ${version}, ${formatQuantity(activeRules?.configuration.rules.length ?? 0, 'rule')}`,
	].join('   ');
}
