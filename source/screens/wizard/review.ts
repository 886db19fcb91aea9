import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {named} from '../../firewall/rules/users.ts';
import {bypassesWaf, wafBypassWarning} from '../../firewall/rules/waf-bypass.ts';
import {quoted} from '../../service/curl.ts';
import {planNames} from '../../service/plan.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {pieces} from '../../text/pieces.ts';
import {clip} from '../../text/wrap.ts';
import {draftOf, findingsOf, neighboursOf, sameFilter} from './draft.ts';
import {isOfRule, type Wizard, type WizardRequest} from './state.ts';
import {changes, summary} from './summary.ts';

/** A line of the review, made safe, none wider than the screen. */
export type ReviewLine = {
	readonly text: string;
	readonly look: 'plain' | 'dim' | 'head' | 'warning' | 'failed';
};

type Marks = Pick<Theme['marks'], 'failed' | 'warning'>;

/**
 * All that is to be looked at before it is sent: what it will do, what speaks against it, whom it concerns, and each
 * request with its whole body.
 */
export function reviewLines(
	wizard: Wizard,
	connection: LedgeState['connection'],
	columns: number,
	marks: Marks,
): readonly ReviewLine[] {
	const width = columns - 6;
	const requests = wizard.requests ?? [];
	const lines: ReviewLine[] = [];
	const add = (look: ReviewLine['look'], texts: readonly string[], hang = 0) =>
		lines.push(...linesOf(texts, width, hang).map(text => ({text, look})));
	lines.push(...clip(linesOf(summary(wizard), width, 2), 3).map(text => ({text, look: 'head'}) as const));
	add('plain', changes(wizard));
	for (const {severity, sentence, failure} of findingsOf(wizard)) {
		const isError = severity === 'error';
		const why =
			failure.details.why && !failure.details.why.startsWith('It is at') ? ` ${failure.details.why}` : '';
		add(isError ? 'failed' : 'warning', [`${isError ? marks.failed : marks.warning} ${sentence}${why}`], 2);
	}
	const draft = draftOf(wizard);
	if (wizard.migrated && isOfRule(wizard) && draft && bypassesWaf(draft))
		add('warning', [`${marks.warning} ${wafBypassWarning(draft, wizard.zone)}`], 2);
	const same = sameFilter(wizard);
	if (same)
		add(
			'warning',
			[
				`${marks.warning} Filter ${same.id} has this expression already: the service will refuse a second one.`,
			],
			2,
		);
	add('plain', concerns(wizard), 2);
	if (lines.length > 0) lines.push({text: '', look: 'plain'});
	if (requests.length === 0) {
		add('dim', ['Nothing was changed, so there is nothing to send.']);
		return lines;
	}
	add('dim', [sending(requests.length, wizard.shows)]);
	for (const [at, request] of requests.entries()) {
		lines.push({text: '', look: 'plain'});
		if (wizard.shows === 'curl') {
			lines.push(...pieces(curlOf(request, connection), width).map(text => ({text, look: 'plain'}) as const));
			continue;
		}
		const number = requests.length > 1 ? `${at + 1}  ` : '';
		lines.push(
			...pieces(`${number}${request.method} ${request.path}`, width).map(
				text => ({text, look: 'head'}) as const,
			),
		);
		for (const line of JSON.stringify(request.body, null, 2).split('\n'))
			lines.push(
				...pieces(`${' '.repeat(number.length)}${line}`, width).map(text => ({text, look: 'plain'}) as const),
			);
	}
	return lines;
}

function sending(count: number, shows: Wizard['shows']): string {
	if (shows === 'curl') return 'The same with curl; the credential is taken from the environment:';
	return count === 1
		? 'The request, exactly as it will be sent:'
		: `${counted(count, 'request')}, exactly as they will be sent, the second one only if the first succeeds:`;
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

/** A request as a `curl` command that can be pasted into a shell; the credential stays in the environment. */
export function curlOf({method, path, body}: WizardRequest, connection: LedgeState['connection']): string {
	// The simulated service has no address of its own: `ledge simulate` says where one listens.
	const url = connection?.simulated
		? `"$CLOUDFLARE_API_BASE_URL${path}"`
		: quoted(`${connection?.address.value ?? ''}${path}`);
	const headers =
		connection?.credential?.kind === 'key'
			? ['"X-Auth-Email: $CLOUDFLARE_EMAIL"', '"X-Auth-Key: $CLOUDFLARE_API_KEY"']
			: ['"Authorization: Bearer $CLOUDFLARE_API_TOKEN"'];
	return [
		`curl -sS -X ${method}`,
		...headers.map(header => `-H ${header}`),
		"-H 'Content-Type: application/json'",
		`--data-binary ${quoted(JSON.stringify(body))}`,
		url,
	].join(' ');
}
