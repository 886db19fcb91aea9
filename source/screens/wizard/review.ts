import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {named} from '../../firewall/rules/users.ts';
import {bypassesWaf, wafBypassWarning} from '../../firewall/rules/waf-bypass.ts';
import {planNames} from '../../service/plan.ts';
import {counted, grouped} from '../../text/figures.ts';
import {clip} from '../../text/wrap.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {exact, marked, type Row, said, spaced} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {requestsHeading} from '../stepped-form/heading.ts';
import {draftOf, findingsOf, neighboursOf, sameFilter} from './draft.ts';
import {isOfRule, type Wizard} from './state.ts';
import {obstacleOf} from './steps.ts';
import {changes, summary} from './summary.ts';

type Marks = Pick<Theme['marks'], 'failed' | 'warning'>;

/**
 * All that is to be looked at before it is sent: what it will do, what speaks against it, whom it concerns, and each
 * request with its whole body.
 */
export function reviewRows(
	wizard: Wizard,
	connection: Connection | undefined,
	columns: number,
	marks: Marks,
): readonly Row[] {
	const width = columns - 6;
	const {requests = [], shows, zone} = wizard;
	const draft = draftOf(wizard);
	const same = sameFilter(wizard);
	const head = clip(linesOf(summary(wizard), width, 2), 3).map((text): Row => [{text, look: 'here'}]);
	const about = [
		...head,
		...said(changes(wizard), width),
		...findingsOf(wizard).flatMap(({about, severity, sentence, failure: {details}}) => {
			const isError = severity === 'error';
			// The field shows where a problem of the expression is.
			const why = details.why && about !== 'expression' ? ` ${details.why}` : '';
			const mark = isError ? marks.failed : marks.warning;
			return marked(mark, `${sentence}${why}`, width, isError ? 'danger' : 'warning');
		}),
		...(wizard.migrated && isOfRule(wizard) && draft && bypassesWaf(draft)
			? marked(marks.warning, wafBypassWarning(draft, zone), width, 'warning')
			: []),
		...(same
			? marked(
					marks.warning,
					same.expression === expressionOf(wizard.editing)
						? `Filter ${same.id} has this expression already: the service will refuse a second one.`
						: `Filter ${same.id} matches the same requests, written differently.`,
					width,
					'warning',
				)
			: []),
		...said(concerns(wizard), width, 'plain', 2),
	];
	if (requests.length === 0)
		return spaced(about, said('Nothing was changed, so there is nothing to send.', width, 'dim'));
	return spaced(
		about,
		said(
			requestsHeading({
				count: requests.length,
				shows,
				obstacle: obstacleOf(wizard),
				order: 'the second one only if the first succeeds',
			}),
			width,
			'dim',
		),
		...requests.map((request, at) => {
			if (shows === 'curl') return exact(curlOf(request, connection), width);
			const number = requests.length > 1 ? `${at + 1}  ` : '';
			const body = JSON.stringify(request.body, null, 2).split('\n');
			return [
				...exact(`${number}${request.method} ${request.path}`, width, 'here'),
				...body.flatMap(line => exact(`${' '.repeat(number.length)}${line}`, width)),
			];
		}),
	);
}

/** Whom it concerns: rules that use the filter, the place among the others, the quota. */
function concerns(wizard: Wizard): readonly string[] {
	const {purpose, zone, rules} = wizard;
	switch (purpose.kind) {
		case 'change filter': {
			const {users} = purpose;
			return [
				users.length === 0
					? 'No rule uses this filter.'
					: `It changes ${users.length === 1 ? 'a rule' : counted(users.length, 'rule')}: ${named(users)}.`,
			];
		}
		case 'new filter':
			return [];
		default: {
			const {place, of} = neighboursOf(wizard);
			const most = zone.plan && rulesByPlan[zone.plan];
			const quota =
				purpose.kind === 'new rule' && zone.plan && most !== undefined
					? ` With it the zone has ${grouped(rules.length + 1)} of the ${grouped(most)} rules of the plan ${planNames[zone.plan]}.`
					: '';
			return isOfRule(wizard) ? [`It will be evaluated as number ${place} of ${of}.${quota}`] : [];
		}
	}
}
