// Texts of the tour.
import type { Texts } from '../texts/texts.ts';

export const tourTexts = {
  name: { en: 'Tour', de: 'Rundgang', es: 'Recorrido', zh: '导览' },
  step: {
    en: 'Step {step} of {steps}',
    de: 'Schritt {step} von {steps}',
    es: 'Paso {step} de {steps}',
    zh: '第 {step}/{steps} 步',
  },
  skip: { en: 'Skip', de: 'Überspringen', es: 'Omitir', zh: '跳过' },
  welcome: {
    en: 'A share pays 1.00 if its outcome comes true, so its price is its probability. Your first order takes a minute, with play money.',
    de: 'Ein Anteil zahlt 1,00, wenn sein Ergebnis eintritt; sein Preis ist also seine Wahrscheinlichkeit. Ihr erster Auftrag dauert eine Minute, mit Spielgeld.',
    es: 'Una acción paga 1,00 si su resultado ocurre, así que su precio es su probabilidad. Su primera orden lleva un minuto, con dinero de juego.',
    zh: '结果成真时每份支付 1.00,因此价格就是概率。用虚拟资金一分钟完成首单。',
  },
  begin: { en: 'Show me', de: 'Zeigen', es: 'Muéstreme', zh: '开始' },
  market: {
    en: 'Choose a market: press a price on any card.',
    de: 'Wählen Sie einen Markt: Drücken Sie auf einen Preis.',
    es: 'Elija un mercado: pulse un precio en cualquier tarjeta.',
    zh: '选择市场:点击任一卡片上的价格。',
  },
  order: {
    en: 'Say how many shares; the figures are what the exchange would do now. Then press the button: it is play money.',
    de: 'Sagen Sie, wie viele Anteile; die Zahlen sind, was die Börse jetzt täte. Dann drücken Sie den Knopf: Es ist Spielgeld.',
    es: 'Diga cuántas acciones; las cifras son lo que la bolsa haría ahora. Luego pulse el botón: es dinero de juego.',
    zh: '填写份数;所示数字即交易所当前的执行结果。然后点击按钮:这是虚拟资金。',
  },
  done: {
    en: 'Filled. Your position and its profit are below the chart, and everything you own is in Portfolio.',
    de: 'Ausgeführt. Position und Gewinn stehen unter dem Chart, alles, was Ihnen gehört, im Portfolio.',
    es: 'Ejecutada. Su posición y su ganancia están bajo el gráfico, y todo lo suyo en Cartera.',
    zh: '已成交。持仓与盈亏在图表下方,全部资产在“投资组合”中。',
  },
  finish: { en: 'Done', de: 'Fertig', es: 'Listo', zh: '完成' },
} satisfies Texts<string>;
