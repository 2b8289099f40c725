// The key that pages of others may show: public reads from the origins of the app.
import { CodeBlock } from '../../../components/code-block.tsx';
import { basePath } from '../../../lane.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import type { App } from '../use-apps.ts';
import { appTexts } from './texts.ts';

export function Widget({ app }: { readonly app: App }) {
  const t = useTexts(appTexts);
  if (app.status === 'disabled') return null;
  return (
    <details>
      <summary className="text-muted">{t('widget')}</summary>
      <div className="mt-2 flex flex-col gap-3">
        <p className="text-muted">
          {t(app.allowed_origins.length === 0 ? 'widgetNoOrigin' : 'widgetText')}
        </p>
        <CodeBlock label="HTML" text={snippetOf(app)} />
      </div>
    </details>
  );
}

/** Before its approval a widget reads the sandbox alone. */
function snippetOf({ widget_key: key, status }: App): string {
  const path = status === 'approved' ? basePath : '/sandbox';
  return `<ul id="markets"></ul>
<script type="module">
  const answer = await fetch('${location.origin}${path}/v1/markets?limit=5', {
    headers: { 'X-Api-Key': '${key}' },
  });
  const { data } = await answer.json();
  const items = data.map(({ title }) => Object.assign(document.createElement('li'), { textContent: title }));
  document.querySelector('#markets').replaceChildren(...items);
</script>`;
}
