import {bodyRows} from '../../components/layout.ts';
import {type Marks, themeOf} from '../../components/theme.ts';
import {findingSentence, hindranceOf} from '../../managed/proposal.ts';
import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {configurationDifference, type Difference} from '../../migration/configuration/difference.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import {riseInWords} from '../../migration/validation/words.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {counted} from '../../text/figures.ts';
import {hasLoaded, staleWarning} from '../list/reading.ts';
import {editorBody} from '../managed-edit/rows.ts';
import {differenceRows} from '../managed-edit/table.ts';
import {type Body, beside, failureRows, type Place} from '../rows/body.ts';
import {marked, type Row, said, spaced} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {requestRows} from '../write-flow/requests.ts';
import {type ManagedState, notDeployed, requestsOf} from './state.ts';

/** The layout: the scrolled body, the fixed rows below it, and the side pane. */
type ManagedLayout = {
	readonly body: Body;
	/** Rows of the scrolled body; `rows`: those of the pane. */
	readonly height: number;
	readonly rows: number;
	readonly tail: readonly Row[];
	/** Columns of the pane; undefined if there is no room for it. */
	readonly side: number | undefined;
};

/** Columns before and after the text. */
const margin = 3;
/** Minimum rows of the scrolled body. */
const leastHeight = 3;

/** Computes the layout for a viewport; undefined if nothing was read. */
export function layoutOf(
	managed: ManagedState,
	{columns, rows: all}: Viewport,
	marks: Marks,
	connection?: Connection,
): ManagedLayout | undefined {
	if (!managed.inForce) return undefined;
	const rows = bodyRows(all);
	const room = columns - 2 * margin;
	const isReview = managed.step === 'review';
	const side = columns < 120 || isReview ? undefined : Math.floor(room * 0.42);
	const place: Place = {
		columns: room - (side === undefined ? 0 : side + margin),
		side,
		rows,
		marks,
		now: 0,
	};
	const body = isReview ? reviewBody(managed, place, connection) : rulesBody(managed, place);
	const tail = side === undefined ? body.tail.slice(0, Math.max(0, rows - leastHeight)) : [];
	return {body, height: rows - tail.length, rows, tail, side};
}

const {marks: plainMarks} = themeOf('none', true);

type Extent = {readonly last: number; readonly room: number};

/** Cached, because every hint in the last line asks for it. */
const extents = new WeakMap<ManagedState, Extent & {readonly viewport: Viewport}>();

/** Returns the maximum scroll offset of the review or the details, and the visible rows. */
export function extentOf({
	managed: {data: managed},
	connection: {data: connection},
	navigation: {viewport},
}: Has<'managed' | 'connection'> & Has<'navigation', 'viewport'>): Extent {
	if (!managed) return {last: 0, room: 1};
	const known = extents.get(managed);
	if (known?.viewport === viewport) return known;
	const found = {...extentIn(layoutOf(managed, viewport, plainMarks, connection)), viewport};
	extents.set(managed, found);
	return found;
}

function extentIn(layout: ManagedLayout | undefined): Extent {
	if (!layout) return {last: 0, room: 1};
	const {body, height, rows, side} = layout;
	if (!body.at) return {last: Math.max(0, body.rows.length - height), room: height};
	const below = side === undefined ? (body.belowLast ?? 0) : (body.side?.length ?? 0) - rows;
	return {last: Math.max(0, below), room: height};
}

/** Builds the edited rules, and the details of the one under the cursor. */
function rulesBody(managed: ManagedState, place: Place): Body {
	const {inForce, configuration, proposal, cursor, top} = managed;
	return editorBody(
		{
			configuration,
			managed: inForce?.managed,
			cursor,
			top,
			findings: proposal?.findings ?? [],
			head: headRows(managed, place),
			foot: notDeployedRows(managed, place),
			summary: summaryRows(managed, beside(place)),
			differences: [...othersRows(managed, beside(place)), ...changedRows(managed, beside(place))],
		},
		place,
	);
}

/** Builds warnings above the rules: why nothing can be changed, and what could not be read. */
function headRows(managed: ManagedState, place: Place): Row[] {
	const {columns, marks} = place;
	const {inForce, configuration} = managed;
	const {readOnly, managedUnread} = inForce ?? {};
	return spaced(
		managed.rise ? marked(marks.warning, riseInWords(managed.rise), columns, 'warning') : [],
		readOnly
			? marked(
					marks.warning,
					`Read-only: ${readOnly.message} ${readOnly.details.why ?? ''}`,
					columns,
					'warning',
				)
			: [],
		managedUnread
			? marked(
					marks.warning,
					`The managed rulesets could not be read (${managedUnread.message}): ids are checked by the service only.`,
					columns,
					'warning',
				)
			: [],
		configuration.rules.length === 0 ? said('No managed rules are in force.', columns) : [],
	);
}

/** Builds the list of managed rulesets that the zone could deploy. */
function notDeployedRows(managed: ManagedState, {columns}: Place): Row[] {
	const available = notDeployed(managed);
	if (available.length === 0) return [];
	const names = available.map(({name}) => drawable(name)).join(', ');
	return said(
		`  Not deployed: ${names}${managed.inForce?.readOnly ? '' : ' (n deploys one)'}`,
		columns,
		'dim',
		2,
	);
}

const changedRows = ({proposal}: ManagedState, {columns, marks}: Place): Row[] =>
	differenceRows('Changed by you', ['in force', 'as changed'], proposal?.differences ?? [], columns, marks);

/** Finds what others changed since the first unsent change. */
const findOthersChanges = ({editedFrom, inForce}: ManagedState): readonly Difference[] =>
	editedFrom && inForce ? configurationDifference(editedFrom, inForce.configuration) : [];

const othersRows = (managed: ManagedState, {columns, marks}: Place): Row[] =>
	differenceRows('Changed by others', ['before', 'in force'], findOthersChanges(managed), columns, marks);

/** Builds the number of changes, and the last one. */
function summaryRows(managed: ManagedState, {columns}: Place): Row[] {
	const {edits, inForce} = managed;
	const last = edits.at(-1);
	if (inForce?.readOnly) return [];
	const others = findOthersChanges(managed).length;
	const theirs = others === 0 ? '' : `Changed by others: ${counted(others, 'difference')}. `;
	return last
		? said(
				`${theirs}${counted(edits.length, 'change')}, not sent; last: ${describeEdit(last.edit, last.before, inForce?.managed)}`,
				columns,
			)
		: said(`${theirs}No unsent changes.`, columns, 'dim');
}

/** Builds the review shown before sending. */
function reviewBody(managed: ManagedState, place: Place, connection: Connection | undefined): Body {
	const {columns, marks} = place;
	const {inForce, proposal, obstacle} = managed;
	if (!inForce || !proposal) return {rows: [], tail: []};
	const hindrance = hindranceOf(inForce, proposal);
	return {
		rows: spaced(
			failureRows(obstacle, place),
			[
				...proposal.reductions.flatMap(text => marked(marks.warning, text, columns, 'danger')),
				...proposal.findings.flatMap(finding =>
					marked(
						finding.severity === 'error' ? marks.failed : marks.warning,
						findingSentence(finding),
						columns,
						finding.severity === 'error' ? 'danger' : 'warning',
					),
				),
				...(hindrance
					? said('It cannot be sent like this: esc leads back to the rules.', columns, 'danger')
					: []),
			],
			othersRows(managed, place),
			differenceRows('Your changes', ['in force', 'after'], proposal.differences, columns, marks),
			requestRows(
				{
					requests: requestsOf(managed),
					shows: managed.shows,
					obstacle: hindrance?.message,
					note: `fingerprint afterwards ${shownFingerprint(proposal.fingerprint)}`,
				},
				connection,
				columns,
			),
		),
		tail: [],
	};
}

/** Formats the unsent changes, or else the active version. */
export function managedStatus({managed: {data: managed}}: Has<'managed'>): string {
	if (!managed || !hasLoaded(managed)) return '';
	const {edits, inForce} = managed;
	const version = inForce?.ruleset?.version;
	return [
		...staleWarning(managed),
		edits.length > 0
			? `${counted(edits.length, 'change')}, not sent`
			: version === undefined
				? 'no managed rules in force'
				: `version ${version}, ${counted(inForce?.configuration.rules.length ?? 0, 'rule')}`,
	].join('   ');
}
