import type {Check, Observation} from '../machine/stage.ts';
import {stageOf, wordIn} from '../machine/stage-of.ts';
import {statusIn} from './calls.ts';
import type {EligibilityFacts} from './eligibility.ts';
import {parts, reasonUnread, type Snapshot} from './snapshot.ts';

/** What decides whether a zone is eligible, out of all that was read of it; what could not be read is missing. */
export function factsIn({zone, unread, ...snapshot}: Snapshot): EligibilityFacts {
	const why = (what: string) => unread.find(one => one.what === what)?.why;
	const read = <T>(what: string, value: T) => (why(what) === undefined ? value : undefined);
	const status = snapshot.status ? statusIn(snapshot.status) : undefined;
	const check: Check = {
		compatible: snapshot.check?.compatible === true,
		state: snapshot.check ? wordIn(snapshot.check, 'migration_state') : undefined,
		unanswered: why(parts.check),
	};
	return {
		zone,
		check,
		status,
		stage: stageOf(check, status),
		overrides: read(parts.overrides, snapshot.overrides),
		firewallRules: read(parts.firewallRules, snapshot.firewallRules),
		unread: {
			overrides: reasonUnread(unread, parts.overrides),
			firewallRules: reasonUnread(unread, parts.firewallRules),
		},
	};
}

/** The same where check and status were seen since then: they count. */
export const factsSince = (snapshot: Snapshot, {check, status, stage}: Observation): EligibilityFacts => ({
	...factsIn(snapshot),
	check,
	status,
	stage,
});
