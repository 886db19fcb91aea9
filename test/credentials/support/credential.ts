import {chooseCredential} from '../../../source/credentials/choice.ts';
import type {Credential} from '../../../source/credentials/credential.ts';
import {
	type CredentialSource,
	createCredentialSource,
	type SourceOptions,
} from '../../../source/credentials/source.ts';
import type {Machine} from '../../../source/credentials/wrangler-folder.ts';
import type {SettingSources} from '../../../source/settings/settings.ts';

/** Where the credentials of these settings come from, on a machine without wrangler unless another `PATH` is given. */
export async function credentialsOf(
	sources: SettingSources,
	machine: Machine,
	options: Partial<SourceOptions> = {},
): Promise<CredentialSource> {
	const choice = await chooseCredential(sources, machine);
	return createCredentialSource(choice, {
		...machine,
		env: {PATH: ''},
		startFolder: '/nowhere',
		notice() {},
		onStderr() {},
		lendTerminal: work => work(false),
		...options,
	});
}

/** The credential in force for these settings. */
export const credential = async (sources: SettingSources, machine: Machine = {}): Promise<Credential> =>
	(await credentialsOf(sources, machine)).current();
