// Types, lint and unit tests beside each other. The unit tests print as they go; what the others printed comes when
// they have ended. Fails when one of them does.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';

async function check(script: string): Promise<boolean> {
	const child = spawn(`npm run --silent ${script}`, {shell: true, stdio: ['ignore', 'pipe', 'pipe']});
	const closed = once(child, 'close');
	const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
	const [code] = await closed;
	process.stderr.write(`${printed}${script}: ${code === 0 ? 'passed' : 'failed'}\n`);
	return code === 0;
}

async function unit(): Promise<boolean> {
	const [code] = await once(spawn('npm run --silent unit', {shell: true, stdio: 'inherit'}), 'close');
	return code === 0;
}

const passed = await Promise.all([check('types'), check('lint'), unit()]);
if (passed.includes(false)) process.exitCode = 1;
