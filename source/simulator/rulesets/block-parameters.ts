import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';

const contentTypes = ['application/json', 'text/html', 'text/plain', 'text/xml'];

/** Checks an action without parameters. */
export function checkNoParameters({action, action_parameters: given = {}}: GivenRule, pointer: string): void {
	const [name] = Object.keys(given);
	if (name === undefined) return;
	refuseValue(`the action ${action} has no parameter ${name}`, `${pointer}/action_parameters/${name}`);
}

/** Checks a block, with or without a custom response. */
export function checkBlock({action_parameters: given = {}}: GivenRule, pointer: string): void {
	const at = `${pointer}/action_parameters`;
	const other = Object.keys(given).find(name => name !== 'response');
	if (other !== undefined) refuseValue(`the action block has no parameter ${other}`, `${at}/${other}`);
	if (given.response !== undefined) checkResponse(given.response, `${at}/response`);
}

function checkResponse(given: JsonValue, at: string): void {
	const response = isJsonObject(given) ? given : refuseValue('response must be an object', at);
	const {status_code: status, content, content_type: type} = response;
	if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499)
		refuseValue('status_code must be 400 to 499', `${at}/status_code`);
	if (typeof content !== 'string' || content === '') refuseValue('content is required', `${at}/content`);
	if (typeof type !== 'string' || !contentTypes.includes(type))
		refuseValue(`content_type must be one of ${contentTypes.join(', ')}`, `${at}/content_type`);
}
