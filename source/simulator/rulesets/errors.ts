import {refuseRequest} from '../http/answer.ts';

/** The error code of rulesets for an invalid value. */
const invalidValueCode = 20217;

/** Refuses the request because of the value at `pointer`, a JSON pointer into its body. */
export const refuseValue = (message: string, pointer: string): never =>
	refuseRequest(400, {code: invalidValueCode, message, source: {pointer}});

/** Refuses an action that the phase does not allow. */
export const refuseAction = (action: string, phase: string, pointer: string): never =>
	refuseValue(
		`'${action}' is not a valid value for action because it is not allowed in the phase ${phase}`,
		`${pointer}/action`,
	);

/** Refuses what the zone's plan does not have. */
export const refusePlanFeature = (message: string, pointer: string): never =>
	refuseRequest(403, {message, source: {pointer}});

/** Refuses a missing ruleset, version or rule with 404. */
export const refuseNotFound = (objectName: string): never =>
	refuseRequest(404, {code: 10003, message: `could not find ${objectName}`});
