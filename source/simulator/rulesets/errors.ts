import {refuse} from '../http/answer.ts';

/** The errors of the engine of rulesets for a value that it does not take. */
const notValid = 20217;

/** Ends the work on a request because of what is at `pointer` in it. */
export const refuseValue = (message: string, pointer: string): never =>
	refuse(400, {code: notValid, message, source: {pointer}});

/** An action that rules of a phase cannot have. */
export const refuseAction = (action: string, phase: string, pointer: string): never =>
	refuseValue(
		`'${action}' is not a valid value for action because it is not allowed in the phase ${phase}`,
		`${pointer}/action`,
	);

/** What the zone's plan does not have. */
export const refusePlan = (message: string, pointer: string): never =>
	refuse(403, {message, source: {pointer}});

/** Something that is not there: a ruleset, a version, a rule. */
export const notFound = (what: string): never =>
	refuse(404, {code: 10003, message: `could not find ${what}`});
