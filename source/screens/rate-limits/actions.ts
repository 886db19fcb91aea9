import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {actionsOf, copying, filtering, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {limitUnderCursor} from './slice.ts';

const action = actionsOf('Rate limits', ['rateLimits']);
const none = 'there is no rate limit here';
const ruleHere = ({rateLimits: {data: rateLimits}}: LedgeState) => limitUnderCursor(rateLimits)?.rule;
const needsRule = (state: LedgeState): string | undefined => (ruleHere(state) ? undefined : none);
const inList = ({rateLimits: {data: rateLimits}}: LedgeState): boolean => rateLimits?.detail === undefined;

/** Reads the rate limits of the open zone. */
export function readRateLimits({state}: App): void {
	const name = state().rateLimits.data?.zone.name ?? '';
	void state().work.run(`reading rate limits of ${name}`, 'read', signal => state().rateLimits.load(signal));
}

function openRateLimits(app: App, zone: OpenedZone): void {
	app.state().rateLimits.open(zone);
	app.state().navigation.go('rateLimits');
	readRateLimits(app);
}

/** From the rules of a zone to its rate limits. */
export const toRateLimits: readonly Action[] = (['customRules', 'firewall'] as const).map(where =>
	actionsOf(where === 'customRules' ? 'Custom rules' : 'Firewall', [where])(
		`${where === 'customRules' ? 'custom' : 'firewall'}.rate-limits`,
		['L'],
		'the rate limit rules of the zone, read-only',
		{
			words: ['rate limiting', 'rate limits', 'throttle', 'http_ratelimit', 'too many requests'],
			isHere: state => state.customRules.data?.moving === undefined || where === 'firewall',
			...withFound(state => state[where].data?.zone, 'no zone is open', openRateLimits),
		},
	),
);

/** What can be done with the rate limits of a zone: they are looked at. */
export const rateLimitsActions: readonly Action[] = [
	action('limits.detail', ['enter', 'l', 'right'], 'show all of the rate limit', {
		opens: true,
		hint: 'open',
		isHere: inList,
		unavailable: needsRule,
		run: ({state}) => state().rateLimits.showDetail(0),
	}),
	action('limits.list', ['esc', 'enter', 'left', 'h'], 'back to the list', {
		hint: 'the list',
		isHere: state => !inList(state),
		run: ({state}) => state().rateLimits.showDetail(undefined),
	}),
	action(
		'limits.change',
		['e', 'n', 'd', 'p', 'o'],
		'why rate limits cannot be changed here, and where they can',
		{
			words: ['edit', 'new', 'delete', 'pause', 'move', 'create'],
			run: ({state}) =>
				state().messages.warn(
					'Read-only here. The dashboard changes it: Security, WAF, Rate limiting rules.',
				),
		},
	),
	action('limits.filter', ['/'], 'show only the rate limits that contain a text', {
		...filtering,
		isHere: inList,
	}),
	action('limits.copy', ['y'], 'copy the expression', {
		hint: 'copy',
		...copying(state => ruleHere(state)?.expression, none),
	}),
	action('limits.copy-id', ['Y'], 'copy the id of the rate limit', {
		...copying(state => ruleHere(state)?.id, none),
	}),
];
