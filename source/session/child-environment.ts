import {delimiter, isAbsolute} from 'node:path';
import type {Session} from './session.ts';

/** Names of variables that contain credentials of the service, also those of a second account. */
const credentialPattern =
	/^(?:LEDGE_(?:FROM|TO)_)?(?:CLOUDFLARE|CF)_(?:\w+_)?(?:TOKEN|KEY|SECRET|PASSWORD|EMAIL)$/i;

/**
 * Builds the environment of a program that the user starts from ledge: without credentials of the service,
 * unless `allowedNames` has their variable, and without folders in `PATH` that depend on the working folder.
 * A `ledge` that it starts acts in the same context; it is read-only if this one is, or is simulated.
 */
export function buildChildEnvironment(
	{env, variables, contexts: {contextsFile, active}, simulated, isReadOnly}: Session,
	allowedNames: readonly string[],
): NodeJS.ProcessEnv {
	const hiddenNames = new Set([
		'LEDGE_CREDENTIAL_COMMAND',
		...(contextsFile?.all ?? []).flatMap(({tokenVariable}) => tokenVariable ?? []),
	]);
	const isHidden = (name: string) => hiddenNames.has(name) || credentialPattern.test(name);
	const path = env.PATH?.split(delimiter).filter(isAbsolute).join(delimiter);
	return {
		...Object.fromEntries(Object.entries(env).filter(([name]) => !isHidden(name))),
		...(path !== undefined && {PATH: path}),
		...(active && {LEDGE_CONTEXT: active.name}),
		...((simulated || isReadOnly()) && {LEDGE_READ_ONLY: '1'}),
		...Object.fromEntries(
			allowedNames.flatMap(name => {
				const value = variables(name)?.value;
				return value === undefined ? [] : [[name, value]];
			}),
		),
	};
}
