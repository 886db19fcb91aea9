import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {sameCustomRule, sameRuleWarning} from '../../firewall/rules/custom-rule-settings.ts';
import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {planNames} from '../../service/plan.ts';
import {grouped} from '../../text/figures.ts';
import {clip} from '../../text/wrap.ts';
import {exact, marked, type Row, said, spaced} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {requestsHeading} from '../stepped-form/heading.ts';
import {findingsOf, neighboursOf, ruleOf, rulesThere} from './draft.ts';
import type {CustomForm} from './state.ts';
import {obstacleOf} from './steps.ts';

type Marks = Pick<Theme['marks'], 'failed' | 'warning'>;

/**
 * All that is to be looked at before it is sent: what it will do, what speaks against it, where it will stand, and the
 * request with its whole body.
 */
export function customReviewRows(
	form: CustomForm,
	connection: Connection | undefined,
	columns: number,
	marks: Marks,
): readonly Row[] {
	const width = columns - 6;
	const {requests = [], shows, purpose} = form;
	const rule = ruleOf(form);
	const same = purpose.kind === 'new' && rule ? sameCustomRule(rule, rulesThere(form)) : undefined;
	const summary = rule && purpose.kind === 'new' ? [`${inShort(rule)}: ${rule.expression}`] : [];
	const about = [
		...clip(linesOf(summary, width, 2), 3).map((text): Row => [{text, look: 'here'}]),
		...(rule && purpose.kind === 'change' ? said(changes(purpose.rule, rule), width) : []),
		...findingsOf(form).flatMap(({about, severity, sentence, failure: {details}}) => {
			const isError = severity === 'error';
			// The field shows where a problem of the expression is.
			const why = details.why && about !== 'expression' ? ` ${details.why}` : '';
			const mark = isError ? marks.failed : marks.warning;
			return marked(mark, `${sentence}${why}`, width, isError ? 'danger' : 'warning');
		}),
		...(same ? marked(marks.warning, sameRuleWarning(same), width, 'warning') : []),
		...said(concerns(form), width, 'plain', 2),
	];
	if (requests.length === 0)
		return spaced(about, said('Nothing was changed, so there is nothing to send.', width, 'dim'));
	const intro = requestsHeading({count: requests.length, shows, obstacle: obstacleOf(form), order: ''});
	return spaced(
		about,
		said(intro, width, 'dim'),
		...requests.map(request => {
			if (shows === 'curl') return exact(curlOf(request, connection), width);
			return [
				...exact(`${request.method} ${request.path}`, width, 'here'),
				...JSON.stringify(request.body, null, 2)
					.split('\n')
					.flatMap(line => exact(line, width)),
			];
		}),
	);
}

const inForce = ({enabled}: RulesetRule): string => (enabled === false ? 'paused' : 'in force');

const inShort = (rule: RulesetRule): string => `${doing(rule)}, ${inForce(rule)}`;

/** What a change changes, each in a line with its name. Data as it is. */
function changes(before: RulesetRule, after: RulesetRule): readonly string[] {
	const line = (name: string, was: string | undefined, is: string | undefined) =>
		was === is ? [] : [`${name.padEnd(13)}from ${was || 'none'} to ${is || 'none'}`];
	return [
		...(before.expression === after.expression
			? []
			: [`now          ${before.expression}`, `then         ${after.expression}`]),
		...line('action', doing(before), doing(after)),
		...line('answer', answerOf(before), answerOf(after)),
		...line('state', inForce(before), inForce(after)),
		...line('logged', logged(before), logged(after)),
		...line('description', before.description, after.description),
	];
}

const logged = ({action, logging}: RulesetRule): string | undefined =>
	action === 'skip' ? ((logging?.enabled ?? true) ? 'yes' : 'no') : undefined;

/** Its place among the others, and the quota. */
function concerns(form: CustomForm): readonly string[] {
	const {purpose, zone} = form;
	const {place, of} = neighboursOf(form);
	const most = zone.plan && rulesByPlan[zone.plan];
	const quota =
		purpose.kind === 'new' && zone.plan && most !== undefined
			? ` With it the zone has ${grouped(of)} of the ${grouped(most)} custom rules of the plan ${planNames[zone.plan]}.`
			: '';
	return [`It will be evaluated as number ${place} of ${of}.${quota}`];
}
